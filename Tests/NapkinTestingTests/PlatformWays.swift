// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The abilities of the kit on this platform, or on the one whose ways this build takes, with this build's options.
enum PlatformWays {
  /// Whether functions of the C library and of Dispatch are replaced in the whole process.
  ///
  /// Then threads wait in simulated time, every clock is simulated, and a warning names the queue that has resumed a task.
  /// Apple's linker binds a function to its own library, and a sanitizer replaces them itself.
  static let replaceLibraryFunctions = isLinux && !isSanitized

  /// Whether the runtime of a sanitizer is linked.
  static let isSanitized = dlsym(nil, "__tsan_acquire") != nil || dlsym(nil, "__asan_init") != nil

  /// Whether the function of a job is found, by a library of Linux's toolchain.
  static let findFunctions = isLinux

  /// Whether a handler of exits gets the status.
  static let tellExitStatus = isLinux

  /// Whether the optimiser has run: it takes out hops, and races with them, recursion, and the messages of preconditions.
  static let isOptimised: Bool = {
    #if DEBUG
    false
    #else
    true
    #endif
  }()

  private static let isLinux: Bool = {
    #if os(Linux) && !NAPKIN_LIKE_APPLE
    true
    #else
    false
    #endif
  }()
}
