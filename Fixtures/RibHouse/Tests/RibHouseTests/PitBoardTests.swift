// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@testable import RibHouse

@Suite(.leakChecked) struct PitBoardTests {
  private let brisket = [Cut(name: "Brisket", temperature: 71, target: 95)]
  private let warmer = [Cut(name: "Brisket", temperature: 72, target: 95)]

  @Test func `the board shows what is in the pit, and what changes there`() async {
    let house = HouseMock()
    let presenter = PitBoardPresentableMock()
    let interactor = PitBoardInteractor(presenter: presenter, pit: house)
    await interactor.activate()
    #expect(await presenter.recorder.events(atLeast: 1) == [brisket])
    house.pit.send(warmer)
    #expect(await presenter.recorder.events(atLeast: 2) == [brisket, warmer])
    await interactor.deactivate()
  }

  @Test func `a board that is taken down stops listening`() async {
    let pit = PitServiceMock()
    let interactor = PitBoardInteractor(presenter: PitBoardPresentableMock(), pit: pit)
    await interactor.activate()
    #expect(await pit.recorder.events(atLeast: 1) == [.listening])
    await interactor.deactivate()
    #expect(await pit.recorder.events(atLeast: 2) == [.listening, .stopped])
  }
}
