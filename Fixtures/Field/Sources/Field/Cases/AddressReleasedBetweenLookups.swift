// SPDX-License-Identifier: Apache-2.0

// The index and the address of an attachment are looked up in two visits of the allocator. A release in between leaves
// an index without an address, and the caller takes the two to be of one attachment.
//
// The repair asks for both at once.
extension Case {
  static let addressReleasedBetweenLookups = Case(
    "address-released-between-lookups", of: "apple/container 1699 (5ec4c1f9 ← 6508acea)",
    .plain, decides: "release"
  ) {
    let version = Version.current
    let network = VirtualNetwork(version)
    await network.attach("web")
    async let lookup = network.lookup("web")
    async let release: Void = network.release("web")
    let (found, _) = await (lookup, release)
    try expect((found.index == nil) == (found.address == nil), "index and address are of one attachment: \(found)")
  }
}

private actor Allocator {
  private var indices: [String: Int] = [:]
  private var addresses: [Int: String] = [:]
  private var next = 2

  func allocate(_ host: String) {
    indices[host] = next
    addresses[next] = "192.168.64.\(next)"
    next += 1
  }

  func index(of host: String) -> Int? { indices[host] }
  func address(at index: Int) -> String? { addresses[index] }
  func both(_ host: String) -> (Int?, String?) { (indices[host], indices[host].flatMap { addresses[$0] }) }

  func release(_ host: String) {
    if let index = indices.removeValue(forKey: host) { addresses[index] = nil }
  }
}

private actor VirtualNetwork {
  private let version: Case.Version
  private let allocator = Allocator()

  init(_ version: Case.Version) { self.version = version }

  func attach(_ host: String) async { await allocator.allocate(host) }
  func release(_ host: String) async { await allocator.release(host) }

  func lookup(_ host: String) async -> (index: Int?, address: String?) {
    if version == .after { return await allocator.both(host) }
    guard let index = await allocator.index(of: host) else { return (nil, nil) }
    return (index, await allocator.address(at: index))
  }
}
