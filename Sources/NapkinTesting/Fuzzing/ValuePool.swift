// SPDX-License-Identifier: Apache-2.0

/// Values that actions of a fuzzed system make for later ones, such as screens that they open.
///
/// ```swift
/// let sheets = ValuePool<SheetRouter>("sheet")
/// let fuzzer = TreeFuzzer { await RootBuilder().build() }
///   .action(FuzzAction("open a sheet", into: sheets) { root in await root.openSheet() })
///   .action(FuzzAction("drag", with: .from(sheets)) { _, sheet in await sheet.interactor.didDrag() })
///   .action(FuzzAction("close", with: .taken(from: sheets)) { root, sheet in await root.close(sheet) })
/// ```
///
/// Each execution begins with an empty pool and empties it before it looks for leaks, so a pool may be kept anywhere and
/// serve many fuzzers. An action that takes from an empty pool is skipped.
public struct ValuePool<Value>: Sendable {
  /// The name of a value of the pool in reports.
  public let name: String

  // Distinguishes pools of one name and type.
  private let identity = Identity()

  /// Makes a pool; the name stands for one of its values, with a number behind it.
  public init(_ name: String = "\(Value.self)") { self.name = name }

  var id: ObjectIdentifier { ObjectIdentifier(identity) }

  private final class Identity: Sendable {}
}
