// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#if NAPKIN_SPLITS
#include <dlfcn.h>

// Where a queue of dispatch keeps its width, its target and its state: words that have known values in known queues.

extern void *dispatch_queue_create(const char *label, void *attribute);
extern void *dispatch_get_global_queue(intptr_t priority, uintptr_t flags);
extern void *dispatch_queue_attr_make_initially_inactive(void *attribute);
extern void dispatch_set_target_queue(void *object, void *queue);
extern void dispatch_suspend(void *object);
extern void dispatch_resume(void *object);
extern void dispatch_activate(void *object);

enum { most_bytes = 128, one_at_a_time = 1, many = 0xffe, all = 0xfff, suspension_bits = 55 };

// How many blocks it runs at a time, a half-word; the queue that it hands on to; and whether it is suspended, or inactive as yet, in the
// upper bits. Zero if it was not found.
static struct {
  size_t width, target, state;
} offsets;

static uint64_t state_at(const char *queue, size_t offset) { return *(const uint64_t *)(queue + offset) >> suspension_bits; }

static void find_state(char *serial, char *inactive) {
  for (size_t offset = 8; offset < most_bytes && !offsets.state; offset += 8) {
    if (state_at(serial, offset) != 0 || state_at(inactive, offset) == 0) continue;
    dispatch_suspend(serial);
    bool agrees = state_at(serial, offset) != 0;
    dispatch_resume(serial);
    if (agrees && state_at(serial, offset) == 0) offsets.state = offset;
  }
}

static void find(char *serial, char *concurrent, char *inactive) {
  char *root = dispatch_get_global_queue(0, 0);
  for (size_t offset = 8; offset < most_bytes && !offsets.width; offset += 2) {
    if (*(uint16_t *)(serial + offset) != one_at_a_time || *(uint16_t *)(concurrent + offset) != many) continue;
    if (*(uint16_t *)(root + offset) == all) offsets.width = offset;
  }
  for (size_t offset = 8; offset < most_bytes && !offsets.target; offset += 8) {
    if (*(void **)(inactive + offset) == concurrent) offsets.target = offset;
  }
  find_state(serial, inactive);
}

bool napkin_knows_dispatch(void) {
  static bool has_looked = false;
  if (!has_looked) {
    has_looked = true;
    void *attribute = dlsym(RTLD_DEFAULT, "_dispatch_queue_attr_concurrent");
    if (!attribute) return false;
    void *serial = dispatch_queue_create("", NULL), *concurrent = dispatch_queue_create("", attribute);
    void *inactive = dispatch_queue_create("", dispatch_queue_attr_make_initially_inactive(NULL));
    dispatch_set_target_queue(inactive, concurrent);
    find(serial, concurrent, inactive);
    dispatch_activate(inactive);
    dispatch_release(inactive);
    dispatch_release(serial);
    dispatch_release(concurrent);
  }
  return offsets.width && offsets.target && offsets.state;
}

static uint16_t width(void *queue) { return *(uint16_t *)((char *)queue + offsets.width); }
bool napkin_is_global(void *queue) { return width(queue) == all; }
bool napkin_is_serial(void *queue) { return width(queue) == one_at_a_time; }
bool napkin_is_suspended(void *queue) { return width(queue) != all && state_at(queue, offsets.state) != 0; }

// The queues of the system hand on to none.
void *napkin_target(void *queue) {
  if (width(queue) == all || queue == napkin_main_queue()) return NULL;
  void *target = *(void **)((char *)queue + offsets.target);
  return target && width(target) != all ? target : NULL;
}
#endif
