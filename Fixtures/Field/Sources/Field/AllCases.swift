// SPDX-License-Identifier: Apache-2.0

extension Case {
  /// All cases, in the order of the table.
  static let all: [Case] = [
    staleAnswerCached, readerRegisteredLate, filterAfterJoin, responseResumedTwice, addressReleasedBetweenLookups,
    observerRemovedFirst, oldTaskAdvancesQueue, sentBeforeSubscription, clockAdvancedEarly, parentLeavesFirst,
    restartKillsNewProcess, cancelledBeforeInstalled, cancelledAtOnce, cancelledWhileIdle, sendAfterCancelledReader,
    lateReaderReadsOn, cancelledWaiterSpawns, cancelledWaiterGetsLock, permitLostAtHandover, waitResumedTwice,
    timeoutCannotInterrupt, refreshedTwice, refreshOutlivesSession, pendingTasksSurviveShutdown, stoppedTwice,
    staleLoadWins, observationKeepsModel, lateLoginDismisses, wrongTaskCancelled, reloadRestoresRevoked,
    revalidatedAfterLogout, fetchAfterStoreReplaced, heardAfterDetach, staleConnectionCloses, statusBehindConnect,
    staleReconnect, finishResumesFirstReader, signalLosesCancellation, yieldUnderLock, optionsInTwoRegions,
    optionsReadThenSet, resumedInDidSet, writerMissesWakeUp, errorsReadTwice, cancelRoundTheActor,
    resumedUnderNIOLock, cancelAgainstWorkQueue, countWithoutLock, atomicReadThenWritten, serverNeverListens,
    notNiledBeforeResume, handlersWithoutQueue, raisedBeforeHandler, cancelledSendEndsChannel, sharedWithoutBuffer,
    cancelledTaskStartsWork, debouncedBeforeReappearance, deadlineFromLateStart,
  ]
}
