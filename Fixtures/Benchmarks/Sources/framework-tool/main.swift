// SPDX-License-Identifier: Apache-2.0
import Foundation
import FrameworkPairs
import Sampling

// A run loop, since valgrind does not survive the way in which an asynchronous main gives its thread away.
Task { @MainActor in
  if CommandLine.arguments.dropFirst() == ["bytes"] {
    print(await Pair.bytesPerNode(nodes: 100_000).rounded(toPlaces: 0))
  } else {
    await Tool.run(Pair.framework())
  }
  exit(0)
}
RunLoop.main.run()
