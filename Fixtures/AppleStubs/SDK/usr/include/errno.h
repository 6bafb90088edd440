// SPDX-License-Identifier: Apache-2.0
#pragma once
extern int *__error(void);
#define errno (*__error())
#define EEXIST 17
#define EINTR 4
#define ETIMEDOUT 60
#define ENOMEM 12
