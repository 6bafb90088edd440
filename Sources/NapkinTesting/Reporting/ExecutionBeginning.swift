// SPDX-License-Identifier: Apache-2.0

/// The part of an execution that the traits of its test run before the body.
enum ExecutionBeginning {
  /// The closures of the traits around the running test, the outermost first.
  @TaskLocal static var ofTest: [@Sendable () -> Void] = []
}
