// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Looks for code under test whose calls of the runtime do not come to this image, in the first execution of an exploration.
///
/// Its hops and the tasks that it creates are seen only by what comes of them: a task is on an actor that it has not been
/// seen to enter, or it is not of this execution although this thread has just enqueued it for the first time.
struct OtherImages {
  /// The executor that each task was seen to enter last.
  private var executors: [Int: UInt] = [:]

  /// A task of which nothing is known yet is on an executor.
  mutating func begins(_ task: Int, on executor: UInt) {
    if executors[task] == nil { executors[task] = executor }
  }

  mutating func enters(_ task: Int, _ executor: UInt) { executors[task] = executor }

  /// The type and the image of the actor that a task is on without having been seen to enter it; nil if there is none.
  ///
  /// The runtime's own functions leave an actor unseen as well, but enter none.
  func actor(_ executor: UInt, of task: Int, main: UInt) -> (type: String, image: String)? {
    guard executor != 0, executor != main, let seen = executors[task], seen != executor,
      let object = UnsafeRawPointer(bitPattern: executor)
    else { return nil }
    let type: AnyObject.Type = type(of: Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue())
    guard let image = napkin_other_image_of(unsafeBitCast(type, to: UnsafeRawPointer.self)) else { return nil }
    return (String(describing: type), String(cString: image).lastPathComponent)
  }

  /// The image of the innermost function that a suspended task waits in, apart from the runtime's; nil if it is the tests'.
  static func image(whereWaits task: UnsafeMutableRawPointer) -> String? {
    napkin_other_image_of_wait(task).map { String(cString: $0).lastPathComponent }
  }
}

extension Scheduler {
  /// Follows a task from the executor that it is on to another one, or the same.
  @inline(never)
  func follow(_ task: Int, from source: UInt, to target: UInt) {
    if let unseen = otherImages?.actor(source, of: task, main: main.identity) {
      warn(.hopsInOtherImage(unseen.type, unseen.image))
    }
    otherImages?.enters(task, target)
  }

  /// Looks at the executor of the task that runs.
  @inline(never)
  func lookAtCurrent() {
    guard let task = napkin_current_task(), let number = numbers.existingNumber(of: napkin_job_task_id(task)) else {
      return
    }
    let executor = napkin_current_executor().identity
    if executor != 0 { follow(number, from: executor, to: executor) }
  }

  /// Looks at a task that the exploring thread enqueues and that is not of the execution.
  @inline(never)
  func lookAtForeign(_ task: UnsafeMutableRawPointer) {
    guard otherImages != nil, let current = napkin_current_task().map(napkin_job_task_id),
      numbers.existingNumber(of: current) != nil,
      // A task that was there before the newest of this execution is another test's.
      napkin_job_task_id(task) > numbers.ids.max() ?? .max, let image = napkin_calling_image()
    else { return }
    warn(.tasksOfOtherImage(String(cString: image).lastPathComponent))
  }
}

extension String {
  fileprivate var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }
}

extension Diagnostic {
  private static let remedy = """
    link the code under test into the tests' image: as a target of a package, or in a test bundle without a host app.
    """

  fileprivate static func hopsInOtherImage(_ type: String, _ image: String) -> Diagnostic {
    Diagnostic(
      warning: "hops of \(image)",
      "\(type) is in another image, \(image), and its hops are no scheduling points here: races in it are not found.",
      likelyCause: "its calls of the Swift runtime are not bound to the tests' image.", suggestion: remedy)
  }

  fileprivate static func tasksOfOtherImage(_ image: String) -> Diagnostic {
    Diagnostic(
      warning: "tasks of \(image)",
      "Code in another image, \(image), starts tasks that are not controlled: they run on the thread pool.",
      likelyCause: "its calls of the Swift runtime are not bound to the tests' image.", suggestion: remedy)
  }
}
