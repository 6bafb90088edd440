// SPDX-License-Identifier: Apache-2.0

/// What an interactor shows things on: a feature refines it with the calls that its interactor makes.
///
///     protocol HomePresentable: Presentable, Sendable {
///       func presentUser(_ user: User) async
///     }
///
/// A view controller may conform to it directly, or a `Presenter` stands between the two.
@MainActor
public protocol Presentable: AnyObject {}
