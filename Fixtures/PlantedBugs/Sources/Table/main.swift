// SPDX-License-Identifier: Apache-2.0
import PlantedBugs

// One row a canary, as the README shows them; or those alone that are named.
let names = CommandLine.arguments.dropFirst()
let canaries = names.isEmpty ? Canary.all : Canary.all.filter { names.contains($0.name) }
print(
  """
  | canary | what it breaks | what the fuzzer says | found | executions: mean | median | most |
  |---|---|---|---|---|---|---|
  """)
for canary in canaries {
  let hunt = await Hunt(for: canary)
  let cells = [
    canary.name, canary.breaks, canary.verdicts.map { "`\($0)…`" }.joined(separator: ", "),
    "\(hunt.found.count) of \(Hunt.seeds)", "\((hunt.mean * 10).rounded() / 10)", "\(hunt.median)",
    "\(hunt.found.last ?? 0)",
  ]
  print("| \(cells.joined(separator: " | ")) |")
}
let seenByContract = Canary.all.count(where: \.isSeenByContract)
print("\n\(Canary.all.count) canaries; \(seenByContract) of them are seen without an invariant of the user's.")
