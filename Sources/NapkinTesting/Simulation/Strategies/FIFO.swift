// SPDX-License-Identifier: Apache-2.0

/// First come, first served: what a plain run on one thread does, and what a strategy does that overrides nothing.
final class FIFOStrategy: SchedulingStrategy {}
