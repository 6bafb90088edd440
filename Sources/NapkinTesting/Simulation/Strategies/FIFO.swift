// SPDX-License-Identifier: Apache-2.0

/// First come, first served: what a plain run on one thread does.
final class FIFOStrategy: SchedulingStrategy {
  func pick(_ ready: inout ReadyQueue, after running: Int) -> Int { 0 }
}
