// SPDX-License-Identifier: Apache-2.0

/// What is far away: an answer takes a moment, in which another call may come in.
enum Server {
  static func answer() async { await Task.yield() }
}
