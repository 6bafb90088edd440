// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Synchronization
import Testing

/// Split steps against the runtime, over the same random small programs as those whose steps are whole.
///
/// `DIFFERENTIAL_PROGRAMS=10000` runs that number of programs, from seed 0 on.
@Suite struct DifferentialTests {
  private static let programs =
    ProcessInfo.processInfo.environment["DIFFERENTIAL_PROGRAMS"].flatMap { UInt64($0) } ?? 40

  @Test func `split steps come to no order that the runtime excludes, and to no race`() async {
    var (orders, seen) = (0, 0)
    for seed in 0..<Self.programs {
      let program = SmallProgram(seed: seed)
      let explored = Mutex<Set<String>>([])
      let result = await Explorer(executions: 400, shrinks: false).run {
        let order = await program.run(isSplit: true)
        explored.withLock { _ = $0.insert(order) }
      }
      let allowed = program.allowedOrders
      let found = explored.withLock { $0 }
      #expect(result.failure == nil, "program \(seed):\n\(program)\n\(result.failure?.messages ?? [])")
      #expect(found.isSubset(of: allowed), "program \(seed): \(found.subtracting(allowed).sorted())\n\(program)")
      orders += allowed.count
      seen += found.count
    }
    print("\(Self.programs) programs in split steps: \(orders) orders allowed, \(seen) explored")
    // A search that explores little excludes little.
    #expect(seen > orders / 2)
  }
}
