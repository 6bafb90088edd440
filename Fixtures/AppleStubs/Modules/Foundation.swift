// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What this package and an app built on it name of Foundation, and no behaviour. It brings Darwin and Dispatch along, as
// Apple's does.
@_exported import Darwin
@_exported import Dispatch

public protocol NSObjectProtocol: AnyObject {}

open class NSObject: NSObjectProtocol {
  public init() {}
}

open class NSCoder: NSObject {}

public final class Bundle: NSObject, @unchecked Sendable {
  public static let main = Bundle()
}

public struct CGRect: Sendable {
  public static let zero = CGRect(x: 0, y: 0, width: 0, height: 0)
  public init(x: Double, y: Double, width: Double, height: Double) {}
}

#if os(macOS)
public typealias NSRect = CGRect
#endif

public struct Notification: @unchecked Sendable {}
