// SPDX-License-Identifier: Apache-2.0

extension Simulation.Outcome {
  /// Adds what is only known of executions that are looked at again: their choices and, where it is kept, their log.
  mutating func add(_ execution: SimulatedExecution) {
    let scheduler = execution.scheduler
    var sequence = execution.tape.recorded
    sequence.schedule = scheduler.trace.choices
    sequence.preemption = (scheduler.split?.preemptions ?? []).map { Choice(value: $0, bound: Choice.unlimited) }
    self.sequence = sequence
    log = scheduler.log?.log
    drawn = execution.drawn
    early = scheduler.early
    cancelled = scheduler.cancelled.map { task, step in
      "\(scheduler.log?.log.title(ofTask: task) ?? "task \(task)"), after step \(step)"
    }
  }

  /// An execution that does not come to its end.
  init(cutShort execution: SimulatedExecution) {
    let scheduler = execution.scheduler
    self.init(
      diagnostics: [], steps: scheduler.steps, choices: scheduler.trace.count, scheduleHash: scheduler.order.hash)
    met = scheduler.trace.count + execution.tape.recorded.count
    holdsBack = scheduler.strategy.holdsBack
    hadChoices = true
    warnings = execution.warnings
    add(execution)
  }
}
