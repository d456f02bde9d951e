/** Describes a job's current and pending work from the state of its modules. Stores nothing itself. */

import type { FinishedRound } from '../model/round-record.ts';
import {
  QUEUE_REASONS,
  type QueuePage,
  type QueueReason,
  type WorkControl,
} from '../model/work-control.ts';
import { FIRST_ROUND_DONE } from './full-round.ts';
import { RoundHistory } from './round-history.ts';
import { type QueueSource, queueSources, type WorkParts } from './pending-work.ts';

/** Reports the work to users, and records finished rounds. */
export interface JobWork extends WorkControl {
  noteRound(round: FinishedRound): void;
  /** Adds finished work to the stored round, so that a restart of the daemon does not lose it. */
  creditRound(): void;
}

export function controlWork(parts: WorkParts): JobWork {
  const { state, tracker, phase, filesRead } = parts;
  const history = new RoundHistory(state, tracker);
  const sources = queueSources(parts);
  return {
    sizeOf: (key) => tracker.underWay(key)?.sizeBytes,
    scannedFiles: () => phase.scannedFiles,
    expectedFiles: () =>
      phase.scannedFiles === undefined || state.meta(FIRST_ROUND_DONE) === undefined
        ? undefined
        : state.baseline.totals().files,
    largestRead: () => filesRead.largest(),
    queue: (page) => pageOf(sources, page),
    noteRound: (round) => history.over(round),
    creditRound: () => {
      // While a full round scans, finished uploads count towards that round, which is stored only when it ends.
      if (phase.scannedFiles !== undefined) return;
      try {
        history.credit();
      } catch {
        // A full disk or a damaged state must not stop the job because of a statistic. The next write reports the error.
      }
    },
    rounds: (page) => history.page(page),
    queueCounts: () => ({
      error: sources.error.count(),
      conflict: sources.conflict.count(),
      held: sources.held.count(),
      drifted: sources.drifted.count(),
      busy: sources.busy.count(),
      waiting: sources.waiting.count(),
      retained: sources.retained.count(),
    }),
  };
}

/**
 * Returns a page of the queue. `after` is a reason, followed by the cursor that the reason's source returned as `next`.
 */
function pageOf(
  sources: Readonly<Record<QueueReason, QueueSource>>,
  { reason: only, after = '', limit }: Parameters<WorkControl['queue']>[0],
): QueuePage {
  const [, from, cursor] = /^([a-z]+)\0(.*)$/su.exec(after) ?? [];
  const wanted = only === undefined ? QUEUE_REASONS : [only];
  const rest = wanted.slice(Math.max(0, wanted.indexOf(from as QueueReason)));
  const rows: QueuePage['rows'][number][] = [];
  for (const [index, reason] of rest.entries()) {
    const begin = reason === from && cursor ? cursor : undefined;
    const page = sources[reason].page(begin, limit - rows.length);
    for (const row of page.rows) rows.push({ reason, ...row });
    if (page.next !== undefined) return { rows, next: `${reason}\0${page.next}` };
    const following = rest[index + 1];
    if (rows.length === limit && following) return { rows, next: `${following}\0` };
  }
  return { rows };
}
