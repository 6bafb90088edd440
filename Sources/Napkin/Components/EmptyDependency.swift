// SPDX-License-Identifier: Apache-2.0

/// What the root of a tree needs from above: nothing.
public protocol EmptyDependency: Dependency {}
