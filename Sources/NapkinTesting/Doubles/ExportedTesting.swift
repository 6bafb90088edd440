// SPDX-License-Identifier: Apache-2.0

// A file of mocks names no test and need not import Testing; but a stub's default argument is expanded where the stub is
// called, in that file, and `#_sourceLocation` must be known there.
@_exported public import Testing
