// SPDX-License-Identifier: Apache-2.0

/// An interactor that shows what it knows through a presenter.
public protocol PresentableInteractable: Interactable {
  /// What the interactor presents to, most often `any SomePresentable`.
  associatedtype PresenterType

  /// Handed over at construction and never exchanged.
  nonisolated var presenter: PresenterType { get }
}
