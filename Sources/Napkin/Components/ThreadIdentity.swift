// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The identity of a thread, unique while the thread lives.
///
/// The task will not do for this: a factory that starts a task hands its task-locals on, and that task runs elsewhere.
struct ThreadIdentity: Hashable, Sendable {
  private let handle: UInt

  /// The calling thread.
  static var current: ThreadIdentity {
    // An integer in glibc, a pointer or a signed integer elsewhere.
    #if canImport(Glibc)
    ThreadIdentity(handle: UInt(pthread_self()))
    #else
    ThreadIdentity(handle: UInt(bitPattern: pthread_self()))
    #endif
  }
}
