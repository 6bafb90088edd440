// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "System.h"

#if NAPKIN_REPLACES
#include <dlfcn.h>
#include <string.h>

// Code asks for the main thread, or asserts the main queue, to know whether it is on the main actor. The jobs of an execution are all in
// one thread, and each in any where steps are split. So the answer goes by the executor of the job, and is the one of an app.

extern void *dispatch_queue_create(const char *label, void *attribute);
extern void dispatch_sync_f(void *queue, void *context, void (*)(void *));
bool _CFIsMainThread(void);
void dispatch_assert_queue(void *queue);
void dispatch_assert_queue_barrier(void *queue);
void dispatch_assert_queue_not(void *queue);

static bool is_on_main(void) {
  return napkin_is_on_main_queue() || napkin_current_executor().identity == napkin_main_executor().identity;
}

// Foundation asks on behalf of its run loops, too, which go by the thread.
static bool is_asked_by_thread(uintptr_t caller) {
  Dl_info info;
  return dladdr((void *)caller, &info) != 0 && info.dli_sname && strstr(info.dli_sname, "6ThreadC06isMain");
}

bool _CFIsMainThread(void) {
  if (!napkin_is_exploring_thread() || !is_asked_by_thread(CALLER)) return SYSTEM(_CFIsMainThread)();
  return is_on_main();
}

static bool is_for_main_here(void *queue) {
  return queue && queue == napkin_main_queue() && napkin_is_exploring_thread();
}

// The process ends with the words of dispatch, which are about a queue of the same name.
static void *queue_like_main(void) { return dispatch_queue_create("com.apple.main-thread", NULL); }
static void fail_on(void *queue) { SYSTEM(dispatch_assert_queue_not)(queue); }

#define ASSERT_QUEUE(name) \
  void name(void *queue) { \
    if (!is_for_main_here(queue)) SYSTEM(name)(queue); \
    else if (!is_on_main()) SYSTEM(name)(queue_like_main()); \
  }
ASSERT_QUEUE(dispatch_assert_queue)
ASSERT_QUEUE(dispatch_assert_queue_barrier)

void dispatch_assert_queue_not(void *queue) {
  if (!is_for_main_here(queue)) {
    SYSTEM(dispatch_assert_queue_not)(queue);
  } else if (is_on_main()) {
    void *like_main = queue_like_main();
    dispatch_sync_f(like_main, like_main, fail_on);
  }
}
#endif
