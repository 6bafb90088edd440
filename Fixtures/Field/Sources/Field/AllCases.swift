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
    cancelledReadLeavesAwaiting, bufferResumesUnderLock, unsubscribeRoundTheActor,
    // The next ten were written from their reports alone, by an author that had not read the engine. They are as they were first run.
    failedRefreshClearsToken, stopDuringReconnect, linkBeforeListener, loadingFlagInTask, queryStartedAfterStop,
    cancelledDownloadStaysCached, idleDisconnect, flagFlippedInTask, oneYieldForMirror, serviceEndsOutOfOrder,
    loadingFlagInOneUpdate, serviceAskedTooSoon,
  ]
}
