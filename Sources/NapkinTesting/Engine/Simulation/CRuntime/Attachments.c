// SPDX-License-Identifier: Apache-2.0
#include "NapkinTestingCRuntime.h"

#include <dlfcn.h>

// The functions that record an attachment, in four forms: a value or an attachment, that can or cannot cross threads. The tests
// call them here, and each goes on to a Swift function, which holds back the attachments of all executions but the reported one.
// A call that goes on to the testing library comes here again. No argument is touched, since a generic function has some that C
// cannot name.

#if defined(NAPKIN_LINUX) && (defined(__x86_64__) || defined(__aarch64__))

#define SENDABLE_ATTACHMENT "$s7Testing10AttachmentVAAs8SendableRzRi_zrlE6record_14sourceLocationyACyxGn_AA06SourceF0VtFZ"
#define SENDABLE_VALUE "$s7Testing10AttachmentVAAs8SendableRzRi_zrlE6record_5named14sourceLocationyxn_SSSgAA06SourceG0VtFZ"
#define ATTACHMENT "$s7Testing10AttachmentVAARi_zrlE6record_14sourceLocationyACyxGn_AA06SourceE0VtFZ"
#define VALUE "$s7Testing10AttachmentVAARi_zrlE6record_5named14sourceLocationyxn_SSSgAA06SourceF0VtFZ"

__attribute__((used)) static void *testing_function_0, *testing_function_1, *testing_function_2, *testing_function_3;

#if defined(__x86_64__)
#define GO_TO(function) "jmp " function "@PLT\n"
#define GO_ON_TO(pointer) "jmp *" pointer "(%rip)\n"
#else
#define GO_TO(function) "b " function "\n"
#define GO_ON_TO(pointer) "adrp x16, " pointer "\nldr x16, [x16, :lo12:" pointer "]\nbr x16\n"
#endif
#define FUNCTION(name, body) ".text\n.p2align 4\n.globl \"" name "\"\n.type \"" name "\", %function\n\"" name "\":\n" body
#define FORM(number, name)                                             \
  __asm__(FUNCTION(name, GO_TO("napkin_take_attachment_" #number))     \
          FUNCTION("napkin_record_attachment_" #number, GO_ON_TO("testing_function_" #number)))

FORM(0, SENDABLE_ATTACHMENT);
FORM(1, SENDABLE_VALUE);
FORM(2, ATTACHMENT);
FORM(3, VALUE);

#define FIND(number, name) __atomic_store_n(&testing_function_##number, dlsym(RTLD_NEXT, name), __ATOMIC_RELEASE)

// By the first attachment, which a constructor may record before any of this package has run.
void napkin_find_testing_functions(void) {
  if (__atomic_load_n(&testing_function_3, __ATOMIC_ACQUIRE)) return;
  FIND(0, SENDABLE_ATTACHMENT);
  FIND(1, SENDABLE_VALUE);
  FIND(2, ATTACHMENT);
  FIND(3, VALUE);
}
#endif
