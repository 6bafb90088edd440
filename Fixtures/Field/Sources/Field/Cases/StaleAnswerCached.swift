// SPDX-License-Identifier: Apache-2.0

// A client caches answers, and a mutation clears the cache before it is sent. A GET that is under way then stores the
// answer from before the mutation, which all later readers get.
//
// The repair counts the clearings, and stores an answer only if none came since its request.
extension Case {
  static let staleAnswerCached = Case(
    "stale-answer-cached", of: "adamayoung/TMDb 461 (461d55e8 ← f9123889)", .plain, decides: "rating"
  ) {
    let version = Version.current
    let client = RatingClient(version)
    async let read = client.rating(of: 7)
    async let write: Void = client.rate(7, 5)
    _ = await (read, write)
    let rating = await client.rating(of: 7)
    try expect(rating == 5, "the rating is the one that was given, not \(rating)")
  }
}

private actor RatingServer {
  private var ratings = [7: 1]

  func rating(of film: Int) -> Int { ratings[film]! }
  func rate(_ film: Int, _ rating: Int) { ratings[film] = rating }
}

/// The way to the server and back takes its time.
private struct Network: Sendable {
  let server = RatingServer()

  func rating(of film: Int) async -> Int {
    let rating = await server.rating(of: film)
    await Task.yield()
    return rating
  }

  func rate(_ film: Int, _ rating: Int) async {
    await server.rate(film, rating)
    await Task.yield()
  }
}

private actor RatingClient {
  private let version: Case.Version
  private let network = Network()
  private var cache: [Int: Int] = [:]
  private var clearings = 0

  init(_ version: Case.Version) { self.version = version }

  func rating(of film: Int) async -> Int {
    if let cached = cache[film] { return cached }
    let clearingsBefore = clearings
    let rating = await network.rating(of: film)
    if version == .before || clearings == clearingsBefore { cache[film] = rating }
    return rating
  }

  func rate(_ film: Int, _ rating: Int) async {
    await network.rate(film, rating)
    clearings += 1
    cache = [:]
  }
}
