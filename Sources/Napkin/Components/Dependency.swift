// SPDX-License-Identifier: Apache-2.0

/// What a napkin needs from its parent: a feature refines it with the properties it asks for.
public protocol Dependency: AnyObject, Sendable {}
