// SPDX-License-Identifier: Apache-2.0

/// FIFO order: what one thread does, and what a strategy does that overrides nothing.
final class FIFOStrategy: SchedulingStrategy {}
