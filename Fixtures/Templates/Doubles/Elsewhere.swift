// SPDX-License-Identifier: Apache-2.0

// What a protocol of another file refines.

protocol Elsewhere: Root { func far() -> Int }
protocol OtherFile: Root { var name: String { get } }
protocol Root: AnyObject {
  func base(_ number: Int)
}
