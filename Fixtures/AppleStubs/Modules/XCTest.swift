// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What the tests of the package name of XCTest, and no behaviour.
import Foundation

open class XCTestCase: NSObject {}

public func XCTAssert(_ condition: @autoclosure () throws -> Bool) {}
public func XCTAssertEqual<Value: Equatable>(
  _ one: @autoclosure () throws -> Value, _ other: @autoclosure () throws -> Value
) {}
