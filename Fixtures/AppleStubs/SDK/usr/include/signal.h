// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGUSR1 30
#define SIGUSR2 31
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
#define SA_ONSTACK 0x1
#define SA_RESTART 0x2
#define SA_NODEFER 0x10
#define SA_SIGINFO 0x40
typedef __uint32_t sigset_t;
typedef int sig_atomic_t;
typedef struct __siginfo {
  int si_signo, si_errno, si_code;
  pid_t si_pid;
  void *si_addr;
} siginfo_t;
struct sigaction {
  union {
    void (*__sa_handler)(int);
    void (*__sa_sigaction)(int, struct __siginfo *, void *);
  } __sigaction_u;
  sigset_t sa_mask;
  int sa_flags;
};
#define sa_handler __sigaction_u.__sa_handler
#define sa_sigaction __sigaction_u.__sa_sigaction
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
int raise(int signal);
int kill(pid_t process, int signal);
int sigaction(int signal, const struct sigaction *action, struct sigaction *old);
int sigemptyset(sigset_t *set);
int sigaddset(sigset_t *set, int signal);
typedef struct {
  void *ss_sp;
  size_t ss_size;
  int ss_flags;
} stack_t;
int sigaltstack(const stack_t *stack, stack_t *old);
