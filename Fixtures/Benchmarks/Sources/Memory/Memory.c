// SPDX-License-Identifier: Apache-2.0
#include "Memory.h"

#if defined(__linux__)
#include <malloc.h>

long napkin_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}
#else
#include <malloc/malloc.h>

long napkin_allocated_bytes(void) {
  struct malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return (long)statistics.size_in_use;
}
#endif
