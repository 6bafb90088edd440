// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Split.h"

#if NAPKIN_SPLITS
// Accesses for which the compiler makes no call that says so: to a value of a generic type, to an existential, to a large structure and
// to a weak reference, which functions of the runtime or copies out of line do. The law of exclusivity has the runtime know of them:
// an access to a variable that several tasks may have begins and ends with a call of its own.

enum { modifies = 1, is_tracked = 0x20 };

uintptr_t napkin_scope_start = 0;
bool napkin_scope_is_covered = false;

// The runtime's functions, which the first calls find.
void swift_beginAccess(void *address, void *buffer, uintptr_t flags, void *code);
void swift_endAccess(void *buffer);
static void find_begin(void *address, void *buffer, uintptr_t flags, void *code);
static void find_end(void *buffer);
static __typeof__(swift_beginAccess) *system_begin = find_begin;
static __typeof__(swift_endAccess) *system_end = find_end;

static void find_begin(void *address, void *buffer, uintptr_t flags, void *code) {
  system_begin = SYSTEM(swift_beginAccess);
  system_begin(address, buffer, flags, code);
}

static void find_end(void *buffer) {
  system_end = SYSTEM(swift_endAccess);
  system_end(buffer);
}

// Called at each access to a variable of a class, so it does only the most necessary.
void swift_beginAccess(void *address, void *buffer, uintptr_t flags, void *code) {
  system_begin(address, buffer, flags, code);
  if (napkin_counts_accesses == 0) {
    if (IS_SHARING) napkin_share_variable((uintptr_t)address, flags & modifies, CALLER);
    return;
  }
  if (!(flags & is_tracked)) return;
  napkin_thread *self = napkin_self;
  if (!self) return;
  if (self->scope_count == self->scope_room) self->scopes = napkin_grow(self->scopes, &self->scope_room, sizeof *self->scopes);
  napkin_scope *scope = &self->scopes[self->scope_count++];
  scope->caller = CALLER;
  scope->buffer = buffer;
  scope->flags = flags;
  scope->outer_start = napkin_scope_start;
  scope->outer_is_covered = napkin_scope_is_covered;
  napkin_scope_start = (uintptr_t)address;
  napkin_scope_is_covered = false;
}

// Where an instrumented access to a part of the variable was made meanwhile, that one counts. The size of the variable is not known
// here, so its first byte is accessed.
void swift_endAccess(void *buffer) {
  system_end(buffer);
  napkin_thread *self = napkin_self;
  if (!self || self->scope_count == 0) return;
  size_t index = self->scope_count;
  while (index > 0 && self->scopes[index - 1].buffer != buffer) index--;
  if (index == 0) return;
  napkin_scope *scope = &self->scopes[index - 1];
  uintptr_t address = napkin_scope_start;
  // Scopes that are further in did not end where they began, so they are forgotten.
  bool is_covered = napkin_scope_is_covered || index != self->scope_count;
  self->scope_count = index - 1;
  napkin_scope_start = scope->outer_start;
  napkin_scope_is_covered = scope->outer_is_covered;
  if (is_covered || napkin_counts_accesses == 0) return;
  access_at(address, 1, scope->flags & modifies ? napkin_access_write : napkin_access_read, scope->caller);
}

void napkin_cover_scopes(uintptr_t address) {
  napkin_thread *self = napkin_self;
  napkin_scope_is_covered |= napkin_scope_start == address;
  for (size_t index = self->scope_count; index > 0; index--) {
    self->scopes[index - 1].outer_is_covered |= self->scopes[index - 1].outer_start == address;
  }
}

// `UnsafeMutableRawPointer.copyMemory(from:byteCount:)`, whose pointer comes last.
void copy_memory(const void *source, intptr_t count, void *target) __asm__("$sSv10copyMemory4from9byteCountySV_SitF");
void copy_memory(const void *source, intptr_t count, void *target) {
  if (running_thread() && napkin_counts_accesses != 0 && count > 0) {
    access_at((uintptr_t)source, (size_t)count, napkin_access_read, CALLER);
    access_at((uintptr_t)target, (size_t)count, napkin_access_write, CALLER);
  }
  static __typeof__(copy_memory) *found;
  if (!found) found = (__typeof__(copy_memory) *)napkin_system_function("$sSv10copyMemory4from9byteCountySV_SitF");
  found(source, count, target);
}
#endif
