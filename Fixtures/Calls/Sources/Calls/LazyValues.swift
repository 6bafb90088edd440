// SPDX-License-Identifier: Apache-2.0

/// Values that are each made by the first task that asks.
enum LazyValues {
  static let value0 = Sound.started()
  static let value1 = Sound.started()
  static let value2 = Sound.started()
  static let value3 = Sound.started()
  static let value4 = Sound.started()
  static let value5 = Sound.started()
  static let value6 = Sound.started()
  static let value7 = Sound.started()
  static let value8 = Sound.started()
  static let value9 = Sound.started()
  static let value10 = Sound.started()
  static let value11 = Sound.started()
  static let value12 = Sound.started()
  static let value13 = Sound.started()
  static let value14 = Sound.started()
  static let value15 = Sound.started()
  static let value16 = Sound.started()
  static let value17 = Sound.started()
  static let value18 = Sound.started()
  static let value19 = Sound.started()
  static let value20 = Sound.started()
  static let value21 = Sound.started()
  static let value22 = Sound.started()
  static let value23 = Sound.started()
  static let value24 = Sound.started()
  static let value25 = Sound.started()
  static let value26 = Sound.started()
  static let value27 = Sound.started()
  static let value28 = Sound.started()
  static let value29 = Sound.started()
  static let value30 = Sound.started()
  static let value31 = Sound.started()
  static let value32 = Sound.started()
  static let value33 = Sound.started()
  static let value34 = Sound.started()
  static let value35 = Sound.started()
  static let value36 = Sound.started()
  static let value37 = Sound.started()
  static let value38 = Sound.started()
  static let value39 = Sound.started()
  static let value40 = Sound.started()
  static let value41 = Sound.started()
  static let value42 = Sound.started()
  static let value43 = Sound.started()
  static let value44 = Sound.started()
  static let value45 = Sound.started()
  static let value46 = Sound.started()
  static let value47 = Sound.started()
  static let value48 = Sound.started()
  static let value49 = Sound.started()
  static let value50 = Sound.started()
  static let value51 = Sound.started()
  static let value52 = Sound.started()
  static let value53 = Sound.started()
  static let value54 = Sound.started()
  static let value55 = Sound.started()
  static let value56 = Sound.started()
  static let value57 = Sound.started()
  static let value58 = Sound.started()
  static let value59 = Sound.started()

  static let all: [@Sendable () -> Task<Int, Never>] = [
    { value0 }, { value1 }, { value2 }, { value3 }, { value4 }, { value5 },
    { value6 }, { value7 }, { value8 }, { value9 }, { value10 }, { value11 },
    { value12 }, { value13 }, { value14 }, { value15 }, { value16 }, { value17 },
    { value18 }, { value19 }, { value20 }, { value21 }, { value22 }, { value23 },
    { value24 }, { value25 }, { value26 }, { value27 }, { value28 }, { value29 },
    { value30 }, { value31 }, { value32 }, { value33 }, { value34 }, { value35 },
    { value36 }, { value37 }, { value38 }, { value39 }, { value40 }, { value41 },
    { value42 }, { value43 }, { value44 }, { value45 }, { value46 }, { value47 },
    { value48 }, { value49 }, { value50 }, { value51 }, { value52 }, { value53 },
    { value54 }, { value55 }, { value56 }, { value57 }, { value58 }, { value59 },
  ]
}
