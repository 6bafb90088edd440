// SPDX-License-Identifier: Apache-2.0

/// What some actions of a fuzzed tree hand to later ones, such as the screens that they opened.
///
/// ```swift
/// let sheets = ValuePool<SheetRouter>("sheet")
/// let fuzzer = TreeFuzzer { await RootBuilder().build() }
///   .action("open a sheet", into: sheets) { root in await root.openSheet() }
///   .action("drag", from: sheets) { _, sheet in await sheet.interactor.didDrag() }
///   .action("close", consuming: sheets) { root, sheet in await root.close(sheet) }
/// ```
///
/// Each execution begins with an empty pool and empties it before it looks for leaks, so a pool may be kept anywhere and
/// serve many fuzzers. An action that takes from an empty pool is skipped.
public struct ValuePool<Value>: Sendable {
  /// What the story of a failure calls a value of the pool.
  public let name: String

  // Tells pools of one name and type apart.
  private let identity = Identity()

  /// Makes a pool; the name stands for one of its values, with a number behind it.
  public init(_ name: String = "\(Value.self)") { self.name = name }

  var id: ObjectIdentifier { ObjectIdentifier(identity) }

  private final class Identity: Sendable {}
}
