// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Runtime.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stddef.h>
#include <string.h>

// Code is controlled where its calls of the runtime are bound to the functions of this image. That of a host app, of a dynamic
// framework or of a library that binds its own way calls the runtime itself, which is seen only by its effects.

static const void *base_of(const void *address, const char **path) {
  Dl_info info;
  if (!dladdr(address, &info)) return NULL;
  if (path) *path = info.dli_fname;
  return info.dli_fbase;
}

const char *napkin_symbol(uintptr_t address) {
  Dl_info info;
  return dladdr((const void *)address, &info) ? info.dli_sname : NULL;
}

static const void *own_image(void) { return base_of((const void *)base_of, NULL); }
static const void *runtime_image(void) { return base_of((const void *)swift_task_getCurrent, NULL); }

// A library of the user's is the code under test, wherever it was built; those in the system's folders and beside the runtime
// are not.
bool napkin_is_of_system(const char *path) {
  static const char *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/local/lib/", "/System/"};
  for (size_t index = 0; index < sizeof folders / sizeof *folders; index++) {
    if (strncmp(path, folders[index], strlen(folders[index])) == 0) return true;
  }
  const char *runtime = NULL;
  const char *end = base_of((const void *)swift_retain, &runtime) && runtime ? strrchr(runtime, '/') : NULL;
  return end && strncmp(path, runtime, (size_t)(end - runtime) + 1) == 0;
}

bool napkin_is_in_runtime(uintptr_t address) { return base_of((const void *)address, NULL) == runtime_image(); }

const char *napkin_other_image_of(const void *address) {
  const char *path = NULL;
  const void *image = base_of(address, &path);
  return image && image != own_image() && image != runtime_image() ? path : NULL;
}

const char *napkin_other_image_of_wait(void *task) {
  enum { depth = 24 };
  uintptr_t addresses[depth];
  size_t count = napkin_resume_addresses(task, addresses, depth);
  const void *own = own_image(), *runtime = runtime_image();
  for (size_t index = 0; index < count; index++) {
    const char *path = NULL;
    const void *image = base_of((const void *)addresses[index], &path);
    if (image && image != runtime) return image == own ? NULL : path;
  }
  return NULL;
}

const char *napkin_calling_image(void) {
  void *frames[64];
  int count = backtrace(frames, 64);
  const void *own = own_image(), *runtime = runtime_image();
  bool is_below_runtime = false;
  for (int index = 0; index < count; index++) {
    const char *path = NULL;
    const void *image = base_of(frames[index], &path);
    if (image == runtime) {
      is_below_runtime = true;
    } else if (is_below_runtime) {
      return image == own ? NULL : path;
    }
  }
  return NULL;
}

static const char library[] = "libswift_Concurrency";

#if defined(__APPLE__)
#include <mach-o/dyld.h>
#include <mach-o/loader.h>

// An image binds each name to the library that it was linked with, whatever other images define.
static bool calls_runtime(const struct mach_header_64 *header) {
  const char *place = (const char *)(header + 1);
  for (uint32_t index = 0; index < header->ncmds; index++) {
    const struct load_command *command = (const void *)place;
    if (command->cmd == LC_LOAD_DYLIB || command->cmd == LC_LOAD_WEAK_DYLIB) {
      if (strstr(place + ((const struct dylib_command *)command)->dylib.name.offset, library)) return true;
    }
    place += command->cmdsize;
  }
  return false;
}

bool napkin_has_other_images(void) {
  const void *own = own_image(), *runtime = runtime_image();
  for (uint32_t index = 0; index < _dyld_image_count(); index++) {
    const struct mach_header *header = _dyld_get_image_header(index);
    const char *path = _dyld_get_image_name(index);
    if (!header || !path || header->magic != MH_MAGIC_64 || header == own || header == runtime) continue;
    if (header->flags & MH_DYLIB_IN_CACHE || napkin_is_of_system(path)) continue;
    // The libraries of a simulator's system, and those that Xcode brings, such as Swift Testing.
    if (strstr(path, "/RuntimeRoot/") || strstr(path, ".platform/Developer/")) continue;
    if (calls_runtime((const struct mach_header_64 *)header)) return true;
  }
  return false;
}
#else
#include <link.h>

// The addresses in the dynamic section of an image have been relocated, unless the section is read-only.
static int calls_runtime(struct dl_phdr_info *image, size_t size, void *unused) {
  const char *path = image->dlpi_name;
  const ElfW(Dyn) *entries = NULL;
  for (int index = 0; index < image->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &image->dlpi_phdr[index];
    if (part->p_type == PT_DYNAMIC) entries = (const void *)(image->dlpi_addr + part->p_vaddr);
  }
  if (!entries || (path && napkin_is_of_system(path))) return 0;
  const void *base = base_of(entries, NULL);
  if (!base || base == own_image() || base == runtime_image()) return 0;
  ElfW(Addr) names = 0;
  for (const ElfW(Dyn) *entry = entries; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_STRTAB) names = entry->d_un.d_ptr;
  }
  if (names < image->dlpi_addr) names += image->dlpi_addr;
  for (const ElfW(Dyn) *entry = entries; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_NEEDED && strstr((const char *)names + entry->d_un.d_val, library)) return 1;
  }
  return 0;
}

bool napkin_has_other_images(void) {
  return !napkin_comes_first() && dl_iterate_phdr(calls_runtime, NULL) != 0;
}
#endif
