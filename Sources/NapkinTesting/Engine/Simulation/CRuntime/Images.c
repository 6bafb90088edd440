// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Runtime.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stddef.h>
#include <string.h>

// Code is controlled where its calls of the runtime are bound to the functions of this image. That of a host app, of a dynamic
// framework or of a library that binds its own way calls the runtime itself, which is seen only by what comes of it.

static const void *base_of(const void *address, const char **path) {
  Dl_info info;
  if (!dladdr(address, &info)) return NULL;
  if (path) *path = info.dli_fname;
  return info.dli_fbase;
}

static const void *own_image(void) { return base_of((const void *)base_of, NULL); }
static const void *runtime_image(void) { return base_of((const void *)swift_task_getCurrent, NULL); }

// A library of the user's is the code under test, wherever it was built; those in the system's folders and beside the runtime
// are not.
bool napkin_is_of_system(const char *path) {
  static const char *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/local/lib/"};
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
