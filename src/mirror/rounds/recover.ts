/**
 * Resolves requests whose response was lost, by reading the bucket. A crash or a broken connection can lose a response.
 */

import PQueue from 'p-queue';

import type { Clock } from '../../base/clock.ts';
import { type ProofContext, proveSettlement } from '../transfer/prove-outcome.ts';
import { withUnconfirmedLock } from '../transfer/lock-new-version.ts';
import { hasIntendedContent, removeOwnWrite } from '../transfer/copy-object.ts';
import { settleDamaged, settlePut } from '../transfer/put-rows.ts';
import type { JournalRow } from '../state/journal-table.ts';
import type { Settlement, StateFile } from '../state/state-file.ts';
import { findOwnVersion, readHead } from '../objects/destination.ts';

const LOOKUPS_AT_ONCE = 16;

export interface RecoveryContext extends Omit<ProofContext, 'signal'> {
  readonly state: StateFile;
  readonly clock: Clock;
}

/**
 * Ends every open journal row. If a version contains the row's journal id, the request succeeded. Otherwise its outcome
 * stays unknown, and the next round plans the key again.
 */
export async function recoverJournal(
  context: RecoveryContext,
  signal: AbortSignal,
): Promise<number> {
  const { state } = context;
  const rows = state.journal.unfinished();
  const lane = new PQueue({ concurrency: LOOKUPS_AT_ONCE });
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
  const { destination } = context;
  const { key, id: journalId, operation } = row;
  if (operation === 'delete') {
    const head = await readHead(destination, key, signal);
    return { key, journalId, baseline: head === 'absent' ? 'drop' : 'keep' };
  }
  const own = await findOwnVersion(destination, row, signal);
  if (own) {
    if (await hasIntendedContent(row, { ...own, key }, destination, signal))
      return settlePut(withUnconfirmedLock(row), own);
    const guard = await removeOwnWrite(context, key, own, signal);
    if ('ifMatch' in guard) return settleDamaged(withUnconfirmedLock(row), own);
  }
  // An interrupted multipart upload is resumed later, or aborted if no file can resume it.
  return { key, journalId, baseline: 'keep' };
}
