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

// What the tests of the package name besides.

public struct URL: Hashable, Sendable {
  public let path: String
  public init(filePath: String) { path = filePath }
  public var absoluteString: String { path }
  public var lastPathComponent: String { path }
  public var pathExtension: String { path }
  public var standardized: URL { self }
  public func deletingLastPathComponent() -> URL { self }
  public func appending(path: String) -> URL { self }
}

public struct URLResourceKey: Hashable, Sendable {
  public static let isSymbolicLinkKey = URLResourceKey()
}

public struct UUID: Hashable, Sendable {
  public init() {}
  public var uuidString: String { "" }
}

public struct Date: Hashable, Comparable, Sendable {
  public init() {}
  public init(timeIntervalSinceNow seconds: Double) {}
  public func timeIntervalSince(_ other: Date) -> Double { 0 }
  public static func < (left: Date, right: Date) -> Bool { false }
  public static func + (date: Date, seconds: Double) -> Date { date }
}

public struct Data: Hashable, Sendable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  public init() {}
  public init(contentsOf url: URL) throws {}
  public init<Bytes: Sequence>(_ bytes: Bytes) where Bytes.Element == UInt8 {}
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(index: Int) -> UInt8 {
    get { 0 }
    set {}
  }
  public mutating func replaceSubrange<Bytes: Collection>(_ range: Range<Int>, with bytes: Bytes)
  where Bytes.Element == UInt8 {}
  public func range(of other: Data) -> Range<Int>? { nil }
  public func write(to url: URL) throws {}
}

public final class JSONDecoder {
  public init() {}
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { fatalError() }
}

public final class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let sortedKeys = OutputFormatting(rawValue: 2)
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
  }
  public init() {}
  public var outputFormatting: OutputFormatting = []
  public func encode<Value: Encodable>(_ value: Value) throws -> Data { Data() }
}

public final class JSONSerialization {
  public static func jsonObject(with data: Data) throws -> Any { 0 }
}

extension String {
  public struct Encoding: Sendable { public static let utf8 = Encoding() }
  public init(contentsOf url: URL, encoding: Encoding) throws { self = "" }
  public init(contentsOfFile path: String, encoding: Encoding) throws { self = "" }
}

extension StringProtocol {
  public func components(separatedBy separator: String) -> [String] { [] }
  public var removingPercentEncoding: String? { nil }
  public func range(of other: String) -> Range<String.Index>? { nil }
}

public func NSTemporaryDirectory() -> String { "" }

open class FileManager: NSObject, @unchecked Sendable {
  open class DirectoryEnumerator: NSObject, Sequence, IteratorProtocol { open func next() -> Any? { nil } }
  public static let `default` = FileManager()
  public var temporaryDirectory: URL { URL(filePath: "") }
  public func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
  public func subpathsOfDirectory(atPath path: String) throws -> [String] { [] }
  public func fileExists(atPath path: String) -> Bool { false }
  public func removeItem(atPath path: String) throws {}
  public func removeItem(at url: URL) throws {}
  public struct DirectoryEnumerationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let skipsHiddenFiles = DirectoryEnumerationOptions(rawValue: 4)
  }

  public func enumerator(
    at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?, options mask: DirectoryEnumerationOptions = []
  ) -> DirectoryEnumerator? { nil }
}

public final class FileHandle: NSObject, @unchecked Sendable {
  public static let standardError = FileHandle()
  public static let standardOutput = FileHandle()
  public func write(_ data: Data) {}
}

open class ProcessInfo: NSObject, @unchecked Sendable {
  public static let processInfo = ProcessInfo()
  public var environment: [String: String] { [:] }
  public var activeProcessorCount: Int { 1 }
}

open class Thread: NSObject, @unchecked Sendable {
  public static var isMainThread: Bool { true }
  public class var current: Thread { Thread {} }
  public class func sleep(forTimeInterval seconds: Double) {}
  public init(block: @escaping @Sendable () -> Void) {}
  public var name: String?
  public var stackSize = 0
  public var isFinished: Bool { true }
  public func start() {}
}

open class OperationQueue: NSObject, @unchecked Sendable {
  public func addOperation(_ block: @escaping @Sendable () -> Void) {}
}

open class NSLock: NSObject, @unchecked Sendable {
  public func lock() {}
  public func unlock() {}
  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}

public final class NSCondition: NSObject, @unchecked Sendable {
  public func lock() {}
  public func unlock() {}
  public func signal() {}
  public func wait(until limit: Date) -> Bool { false }
}

public final class Timer: NSObject, @unchecked Sendable {
  public init(timeInterval: Double, repeats: Bool, block: @escaping @Sendable (Timer) -> Void) {}
  public func invalidate() {}
}

public final class RunLoop: NSObject, @unchecked Sendable {
  public struct Mode: Sendable { public static let `default` = Mode() }
  public static let current = RunLoop()
  public func add(_ timer: Timer, forMode mode: Mode) {}
  public func run(until limit: Date) {}
}

public final class NSNull: NSObject, @unchecked Sendable {}
