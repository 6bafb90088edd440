// SPDX-License-Identifier: Apache-2.0
public import Testing

/// Expects that all of these have been recorded, each after the one before it, whichever doubles recorded them.
///
///     await interactor.profileDidFinish()
///     expectInOrder(router.saw(.detachChild(profile)), listener.saw(.homeDidClose))
///
/// - Parameters:
///   - sightings: What each double is expected to have recorded.
///   - sourceLocation: Where the issue is reported, this call by default.
/// - Returns: True if everything was recorded, in this order.
@discardableResult
public func expectInOrder(_ sightings: Sighting..., sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
  var earlier: Sighting?
  for sighting in sightings {
    guard let moment = sighting.moment else {
      Diagnostic(
        .expectation,
        "\(sighting.name) has not recorded \(sighting.event), so it comes in no order. \(transcript(of: sightings))",
        likelyCause: "the call was not made, was made on another instance of the double, or has not been made yet.",
        suggestion: "await what leads to the call before the order is checked."
      ).record(at: sourceLocation)
      return false
    }
    if let earlier, let before = earlier.moment, before >= moment {
      Diagnostic(
        .expectation,
        """
        \(sighting.name) recorded \(sighting.event) before \(earlier.name) recorded \(earlier.event), and was expected \
        to do so after it. \(transcript(of: sightings))
        """,
        likelyCause: "the calls are made in another order, or by tasks that do not wait for each other.",
        suggestion: "await the earlier call before the later one is made."
      ).record(at: sourceLocation)
      return false
    }
    earlier = sighting
  }
  return true
}

private func transcript(of sightings: [Sighting]) -> String {
  var recordings: [any Recording] = []
  for sighting in sightings where !recordings.contains(where: { $0 === sighting.recording }) {
    recordings.append(sighting.recording)
  }
  return "What was recorded: \(Transcript(recordings).lines.listed())."
}
