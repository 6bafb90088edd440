// SPDX-License-Identifier: Apache-2.0

/// What the kit can do on this platform, or on the one whose ways this build takes.
enum PlatformWays {
  /// Whether functions of the C library and of Dispatch are replaced in the whole process.
  ///
  /// Then threads wait in simulated time, every clock is simulated, and a warning names the queue that has resumed a task.
  /// Apple's linker binds a function to its own library.
  static let replaceLibraryFunctions = isLinux

  /// Whether the function of a job is found, by a library of Linux's toolchain.
  static let findFunctions = isLinux

  private static let isLinux: Bool = {
    #if os(Linux) && !NAPKIN_LIKE_APPLE
    true
    #else
    false
    #endif
  }()
}
