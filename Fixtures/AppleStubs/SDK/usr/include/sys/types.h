// SPDX-License-Identifier: Apache-2.0
#pragma once
typedef unsigned int __uint32_t;
typedef unsigned short mode_t;
typedef long ssize_t;
typedef long long off_t;
typedef long time_t;
typedef int pid_t;
typedef unsigned long size_t;
