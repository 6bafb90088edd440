// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What an app built on Napkin names of SwiftUI, over whichever of the two stubs is there.
@_exported import Observation

#if canImport(UIKit)
@_exported import UIKit
#elseif canImport(AppKit)
@_exported import AppKit
#endif

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension View {
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
}

extension Never: View {
  public var body: Never { fatalError("a stub is never shown") }
}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    TupleView()
  }
}

public struct TupleView<Contents>: View {
  nonisolated init() {}
  public var body: Never { fatalError("a stub is never shown") }
}

public struct Text: View {
  public nonisolated init(_ content: String) {}
  public var body: Never { fatalError("a stub is never shown") }
}

public struct Button<Label: View>: View {
  public var body: Never { fatalError("a stub is never shown") }
}

extension Button where Label == Text {
  public nonisolated init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

public struct VStack<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("a stub is never shown") }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
  public var body: Never { fatalError("a stub is never shown") }
}

@propertyWrapper public struct Binding<Value> {
  public var wrappedValue: Value
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@dynamicMemberLookup @propertyWrapper public struct Bindable<Value: AnyObject & Observable> {
  public var wrappedValue: Value
  public var projectedValue: Bindable<Value> { self }
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  public subscript<Member>(dynamicMember path: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> {
    Binding(wrappedValue: wrappedValue[keyPath: path])
  }
}

#if canImport(UIKit)
public struct UIViewControllerRepresentableContext<Representable> {}

@MainActor @preconcurrency public protocol UIViewControllerRepresentable: View where Body == Never {
  associatedtype UIViewControllerType: UIViewController
  typealias Context = UIViewControllerRepresentableContext<Self>
  func makeUIViewController(context: Context) -> UIViewControllerType
  func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
}

extension UIViewControllerRepresentable {
  public var body: Never { fatalError("a stub is never shown") }
}

@MainActor open class UIHostingController<Content: View>: UIViewController {
  public init(rootView: Content) {
    self.rootView = rootView
    super.init(nibName: nil, bundle: nil)
  }
  @MainActor public required dynamic init?(coder: NSCoder) { nil }
  public var rootView: Content
}
#elseif canImport(AppKit)
@MainActor open class NSHostingController<Content: View>: NSViewController {
  public init(rootView: Content) {
    self.rootView = rootView
    super.init(nibName: nil, bundle: nil)
  }
  @MainActor public required dynamic init?(coder: NSCoder) { nil }
  public var rootView: Content
}
#endif
