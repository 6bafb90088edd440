// SPDX-License-Identifier: Apache-2.0

/// Whatever assembles a napkin: a feature refines it with its own `build` method, which the parent's router calls.
///
///     protocol ProfileBuildable: Buildable {
///       @MainActor func build(withListener listener: any ProfileListener) async -> any ProfileRouting
///     }
public protocol Buildable: AnyObject, Sendable {}
