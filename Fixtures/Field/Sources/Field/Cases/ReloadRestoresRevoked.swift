// SPDX-License-Identifier: Apache-2.0

// A list of sessions is being reloaded when one of them is revoked. The answer from before the revocation comes late, and
// the revoked session is in the list again.
//
// The repair, which is open, gives both operations one generation, and rejects what belongs to an older one.
extension Case {
  static let reloadRestoresRevoked = Case(
    "reload-restores-revoked", of: "pingdotgg/t3code 10748",
    .plain, .lifecycle, decides: "revoke"
  ) {
    let version = Version.current
    let model = await DeviceListModel(version)
    await model.reload()
    async let reload: Void = model.reload()
    async let revoke: Void = model.revoke("phone")
    _ = await (reload, revoke)
    let devices = await model.devices
    try expect(devices == ["laptop"], "a revoked device is not in the list: \(devices)")
  }
}

private actor DeviceServer {
  private var devices = ["laptop", "phone"]

  func list() async -> [String] {
    let answer = devices
    await Task.yield()
    return answer
  }

  func revoke(_ device: String) { devices.removeAll { $0 == device } }
}

@MainActor private final class DeviceListModel {
  private let version: Case.Version
  private let server = DeviceServer()
  private(set) var devices: [String] = []
  private var generation = 0

  init(_ version: Case.Version) { self.version = version }

  func reload() async {
    generation += 1
    let mine = generation
    let loaded = await server.list()
    if version == .before || mine == generation { devices = loaded }
  }

  func revoke(_ device: String) async {
    await server.revoke(device)
    generation += 1
    devices.removeAll { $0 == device }
  }
}
