/** Requests whose outcome a crash or a lost connection hid: the bucket is asked what came of each. */

import PQueue from 'p-queue';

import type { Clock } from '../../base/clock.ts';
import { type ProofContext, proveSettlement } from '../transfer/prove-outcome.ts';
import { withLockUnseen } from '../transfer/lock-new-version.ts';
import { isAsMeant, takeBack } from '../transfer/copy-object.ts';
import { settleDamaged, settlePut } from '../transfer/step.ts';
import type { JournalRow } from '../state/journal-table.ts';
import type { Settlement, StateFile } from '../state/state.ts';
import { findOwnVersion, readHead } from '../objects/destination.ts';

const QUESTIONS_AT_ONCE = 16;

export interface RecoveryContext extends Omit<ProofContext, 'signal'> {
  readonly state: StateFile;
  readonly clock: Clock;
}

/**
 * Ends every unfinished journal row. Our journal id at a version means that it was made; otherwise nothing
 * is assumed, and the next round plans the key again.
 */
export async function recoverJournal(
  context: RecoveryContext,
  signal: AbortSignal,
): Promise<number> {
  const { state } = context;
  const rows = state.journal.unfinished();
  const lane = new PQueue({ concurrency: QUESTIONS_AT_ONCE });
  const provenOutcome = async (row: JournalRow) =>
    proveSettlement(await outcomeOf(row, context, signal), row, { ...context, signal });
  const settlements = await Promise.all(rows.map((row) => lane.add(() => provenOutcome(row))));
  state.settle(settlements);
  return rows.length;
}

async function outcomeOf(
  row: JournalRow,
  context: RecoveryContext,
  signal: AbortSignal,
): Promise<Settlement> {
  const { place } = context;
  const { key, id: journalId, operation } = row;
  if (operation === 'delete') {
    const head = await readHead(place, key, signal);
    return { key, journalId, baseline: head === 'absent' ? 'drop' : 'keep' };
  }
  const own = await findOwnVersion(place, row, signal);
  if (own) {
    if (await isAsMeant(row, { ...own, key }, place, signal))
      return settlePut(withLockUnseen(row), own);
    const guard = await takeBack(context, key, own, signal);
    if ('ifMatch' in guard) return settleDamaged(withLockUnseen(row), own);
  }
  // An upload that was begun is resumed, or aborted with those that nothing resumes.
  return { key, journalId, baseline: 'keep' };
}
