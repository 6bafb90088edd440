// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@testable import RibHouse

@Suite(.leakChecked) struct LoggedOutTests {
  @Test func `a tap asks the listener to log in, once`() async {
    let (interactor, listener, presenter) = await makeDoor()
    await interactor.didTapLogin()
    await interactor.didTapLogin()
    #expect(listener.events == [.didRequestLogin])
    #expect(presenter.events == [.waiting])
  }

  @Test func `a refused user may try again`() async {
    let (interactor, listener, presenter) = await makeDoor()
    listener.login.throws(HouseIsFull())
    await interactor.didTapLogin()
    await interactor.didTapLogin()
    #expect(listener.events == [.didRequestLogin, .didRequestLogin])
    #expect(presenter.events == [.waiting, .refused, .waiting, .refused])
  }

  // Were `isLoggingIn` set one line later, after the first suspension, this would find the second tap inside.
  @Test(.interleavings(1_000)) func `two taps at once log in once`() async {
    let (interactor, listener, _) = await makeDoor()
    async let first: Void = interactor.didTapLogin()
    async let second: Void = interactor.didTapLogin()
    _ = await (first, second)
    #expect(listener.events == [.didRequestLogin])
  }

  private func makeDoor() async -> (LoggedOutInteractor, LoggedOutListenerMock, LoggedOutPresentableMock) {
    let listener = LoggedOutListenerMock()
    let presenter = LoggedOutPresentableMock()
    let interactor = LoggedOutInteractor(presenter: presenter)
    await interactor.wire(listener: listener)
    return (interactor, listener, presenter)
  }
}
