// SPDX-License-Identifier: Apache-2.0

internal import Napkin
@_exported public import NapkinTestingEngine
#if NAPKIN_SPLIT
internal import NapkinTestingSplitting
#endif
internal import Testing

/// Takes control of the runtime, and sets the engine's hooks for napkins; `Constructor.c` calls it before `main`.
@c(napkin_install_seam)
package func installSeam() {
  Seam.install()
  Splits.install()
  HangWatch.install()
  // Its standard error is what the exit test looks at.
  if !XCTestBridge.isInExitTest { Instrumentation.listSharedState(Splits.listSharedState) }
  ExecutionHooks.set(ExecutionHooks(begin: TreeWatch.begin))
  MisuseReporter.install()
  DefaultsOfExecutions.install()
}

/// The module that splits steps, where it is linked.
private enum Splits {
  #if NAPKIN_SPLIT
  static func install() { Splitting.install() }
  static func listSharedState() -> Bool { Splitting.listSharedState { Test.current.map { "\($0.id)" } } }
  #else
  static func install() {}
  static func listSharedState() -> Bool { false }
  #endif
}

/// Records a misuse of `Napkin` in a running test as an issue at the line of the caller; elsewhere it stops (M1).
enum MisuseReporter {
  /// Handles every later misuse that no other observer handles.
  static func install() {
    LifecycleObservation.setFallbackMisuseHandler { misuse in
      // Outside a test no issue can be recorded, so the misuse stops a debug build.
      guard Test.current != nil || isInTestProcess else { return false }
      let sourceLocation = misuse.callSite.map(SourceLocation.init) ?? Test.current?.sourceLocation
      Issue.record(Comment(rawValue: misuse.description), sourceLocation: sourceLocation ?? #_sourceLocation)
      return true
    }
  }

  /// Whether the process runs tests although none is current: from an `XCTestCase`, or in a detached task.
  ///
  /// An exit test expects the trap, and has the process to itself.
  private static var isInTestProcess: Bool { !XCTestBridge.isInExitTest && XCTestBridge.isInTestProcess }
}

extension SourceLocation {
  fileprivate init(_ callSite: CallSite) {
    self.init(
      fileID: callSite.fileID,
      filePath: callSite.filePath,
      line: callSite.line,
      column: callSite.column
    )
  }
}

/// The default methods of interactors that each execution under control has come to know.
enum DefaultsOfExecutions {
  private static let known = PerExecution<KnownDefaults>()

  /// Lets every execution learn by itself, from now on.
  static func install() {
    KnownDefaults.setFinder {
      guard let scope = CurrentExecution.scope, scope.isSimulated else { return nil }
      return known.value(in: scope) { KnownDefaults() }
    }
  }
}
