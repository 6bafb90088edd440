// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct StubInfallibleTests {
  private struct Offline: Error {}

  @Test func `a function that cannot throw gets the answer`() async {
    #expect(await Stub<Int, String>(returning: "yes")(1, default: "no") == "yes")
    #expect(await Stub<Void, String>(returning: "yes")(default: "no") == "yes")
  }

  @Test func `a function that cannot throw gets the fallback and one issue where there is no answer`() async {
    let texts = await issues { #expect(await Stub<Int, String>()(1, default: "no") == "no") }
    #expect(texts.count == 1)
    #expect(texts.first?.hasPrefix("Stub<Int, String> was called with 1, and has no answer.") == true)
  }

  @Test func `an error thrown into a function that cannot throw is an issue`() async {
    let texts = await issues {
      #expect(await Stub<Int, String>().throws(Offline())(1, default: "no") == "no")
    }
    #expect(
      texts == [
        """
        Stub<Int, String> threw Offline() into a function that cannot throw.
        Likely cause: the answer was written for a requirement that throws.
        What to do: let the answer return a value; this call returns its `default:`.
        """
      ]
    )
  }

  @Test func `a function that is not async gets what returns said`() {
    let stub = Stub<Int, String>(returning: "yes").returnsOnce("first")
    #expect(stub.callSynchronously(1, default: "no") == "first")
    #expect(stub.callSynchronously(2, default: "no") == "yes")
    #expect(stub.calls == [1, 2])
  }

  @Test func `a function that is not async cannot run a closure, and says so`() async {
    let texts = await issues { #expect(Stub<Int, String> { _ in "yes" }.callSynchronously(1, default: "no") == "no") }
    #expect(
      texts == [
        """
        Stub<Int, String> was called by a function that is not async, and its answer is an async closure.
        Likely cause: the answer was set with `answers(_:)` or a closure for `init`.
        What to do: answer with `returns(_:)`; this call returns its `default:`.
        """
      ]
    )
  }
}
