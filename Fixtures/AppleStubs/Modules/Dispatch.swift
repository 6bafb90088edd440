// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What this package names of Dispatch, with the sendability that Apple's overlay has, and no behaviour.

open class DispatchObject: @unchecked Sendable {
  init() {}
}

public enum DispatchTimeInterval: Sendable {
  case seconds(Int)
  case milliseconds(Int)
  case microseconds(Int)
  case nanoseconds(Int)
  case never
}

public struct DispatchTime: Comparable, Sendable {
  public let uptimeNanoseconds: UInt64
  public static func now() -> DispatchTime { DispatchTime(uptimeNanoseconds: 0) }
  public static let distantFuture = DispatchTime(uptimeNanoseconds: .max)
  public static func < (left: DispatchTime, right: DispatchTime) -> Bool { false }
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
  public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
}

public struct DispatchWallTime: Comparable, Sendable {
  public static func now() -> DispatchWallTime { DispatchWallTime() }
  public static func < (left: DispatchWallTime, right: DispatchWallTime) -> Bool { false }
  public static func + (time: DispatchWallTime, seconds: Double) -> DispatchWallTime { time }
}

public enum DispatchTimeoutResult: Sendable {
  case success
  case timedOut
}

public final class DispatchSemaphore: DispatchObject, @unchecked Sendable {
  public init(value: Int) {}
  @discardableResult public func signal() -> Int { 0 }
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
  public func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult { .success }
}

public final class DispatchWorkItem: @unchecked Sendable {
  public init(block: @escaping @convention(block) () -> Void) {}
  public func cancel() {}
}

public final class DispatchGroup: DispatchObject, @unchecked Sendable {
  public override init() {}
  public func enter() {}
  public func leave() {}
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
  public func notify(queue: DispatchQueue, execute work: @escaping @Sendable @convention(block) () -> Void) {}
}

public final class DispatchQueue: DispatchObject, @unchecked Sendable {
  public static let main = DispatchQueue(label: "")
  public static func global() -> DispatchQueue { main }
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let concurrent = Attributes(rawValue: 2)
  }

  public init(label: String, attributes: Attributes = []) {}
  public func async(execute workItem: DispatchWorkItem) {}
  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
  public func async(group: DispatchGroup, execute work: @escaping @Sendable @convention(block) () -> Void) {}
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
  public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) {}
  public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void) {}
}

public protocol DispatchSourceTimer: AnyObject {
  func schedule(deadline: DispatchTime)
  func setEventHandler(handler: (@Sendable () -> Void)?)
  func activate()
  func cancel()
}

public class DispatchSource: DispatchObject, @unchecked Sendable {
  public class func makeTimerSource() -> any DispatchSourceTimer { fatalError() }
}

public enum DispatchPredicate {
  case onQueue(DispatchQueue)
  case onQueueAsBarrier(DispatchQueue)
  case notOnQueue(DispatchQueue)
}

public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) {}
