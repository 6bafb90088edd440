// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A client stores the options of its functions in one locked region, and reads them in another one to send a request. A
// new session between the two makes a request with the region of one and the token of the other.
//
// The second repair reads all that belongs together in one region.
extension Case {
  static let optionsInTwoRegions = Case(
    "options-in-two-regions",
    of: "supabase/supabase-swift 325 and 327 (97d1900d ← 1a7dad00, 80636105 ← 97d1900d)", .split, .lock,
    decides: "signIn"
  ) {
    let version = Version.current
    let client = FunctionsClient(version)
    let signIn = Task { client.signIn("eve", region: "eu") }
    let request = Task { client.request() }
    let (user, region) = await request.value
    await signIn.value
    try expect((user == "eve") == (region == "eu"), "user and region are of one session: \(user) \(region)")
  }
}

private final class FunctionsClient: Sendable {
  private struct Options {
    var user = "ada"
    var region = "us"
  }
  private let version: Case.Version
  private let options = Mutex(Options())

  init(_ version: Case.Version) { self.version = version }

  func signIn(_ user: String, region: String) {
    options.withLock { $0 = Options(user: user, region: region) }
  }

  func request() -> (String, String) {
    if version == .after { return options.withLock { ($0.user, $0.region) } }
    let user = options.withLock { $0.user }
    return (user, options.withLock { $0.region })
  }
}
