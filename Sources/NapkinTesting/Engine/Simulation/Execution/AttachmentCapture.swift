// SPDX-License-Identifier: Apache-2.0

#if os(Linux) && !NAPKIN_LIKE_APPLE
internal import NapkinTestingCRuntime
public import Testing

// Attachments of a test come to these functions first, see Attachments.c. An exploration runs its body a thousand times, and
// records only the attachments of the reported execution, once.

@_silgen_name("napkin_take_attachment_0") @usableFromInline
func takeAttachment<Value: Attachable & Sendable & ~Copyable>(
  _ attachment: consuming Attachment<Value>, sourceLocation: SourceLocation
) {
  guard !isHeldBack else { return }
  napkin_find_testing_functions()
  record(attachment, sourceLocation: sourceLocation)
}

@_silgen_name("napkin_take_attachment_1") @usableFromInline
func takeAttachment<Value: Attachable & Sendable & ~Copyable>(
  _ value: consuming Value, named name: String?, sourceLocation: SourceLocation
) {
  guard !isHeldBack else { return }
  napkin_find_testing_functions()
  record(value, named: name, sourceLocation: sourceLocation)
}

@_silgen_name("napkin_take_attachment_2") @usableFromInline
func takeLocalAttachment<Value: Attachable & ~Copyable>(
  _ attachment: consuming Attachment<Value>, sourceLocation: SourceLocation
) {
  guard !isHeldBack else { return }
  napkin_find_testing_functions()
  recordLocal(attachment, sourceLocation: sourceLocation)
}

@_silgen_name("napkin_take_attachment_3") @usableFromInline
func takeLocalAttachment<Value: Attachable & ~Copyable>(
  _ value: consuming Value, named name: String?, sourceLocation: SourceLocation
) {
  guard !isHeldBack else { return }
  napkin_find_testing_functions()
  recordLocal(value, named: name, sourceLocation: sourceLocation)
}

private var isHeldBack: Bool { (CurrentExecution.scope as? SimulatedExecution)?.isShown == false }

@_silgen_name("napkin_record_attachment_0")
private func record<Value: Attachable & Sendable & ~Copyable>(
  _ attachment: consuming Attachment<Value>, sourceLocation: SourceLocation)

@_silgen_name("napkin_record_attachment_1")
private func record<Value: Attachable & Sendable & ~Copyable>(
  _ value: consuming Value, named name: String?, sourceLocation: SourceLocation)

@_silgen_name("napkin_record_attachment_2")
private func recordLocal<Value: Attachable & ~Copyable>(
  _ attachment: consuming Attachment<Value>, sourceLocation: SourceLocation)

@_silgen_name("napkin_record_attachment_3")
private func recordLocal<Value: Attachable & ~Copyable>(
  _ value: consuming Value, named name: String?, sourceLocation: SourceLocation)
#endif
