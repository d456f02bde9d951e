/** Content read again from the service and compared with what was stored: a part at each step, all of it within days. */

import { defined } from '../base/defined.ts';
import { DAY_MS } from '../base/durations.ts';
import type { Totals } from '../mirror/state/baseline-table.ts';
import type { StateFile } from '../mirror/state/state.ts';
import type { Place } from '../mirror/objects/destination.ts';
import type { BaselineEntry } from '../mirror/model/types.ts';
import { newPruningPass, type ProofRecord } from './proof-record.ts';
import { type Finding, readAgain } from './reread.ts';

/** How fast content is read: `undefined` for a part of it means no limit there. */
export interface Pace {
  /** All of the content within so many days; 0: none. */
  readonly days: number;
  /** At most so many bytes a day. */
  readonly bytesPerDay: number | undefined;
}

export interface RereadContext {
  readonly place: Place;
  readonly state: StateFile;
  readonly pace: Pace;
  readonly now: () => number;
  /** Uploads are under way: one object at most is read. */
  readonly isBusy: () => boolean;
  /** Called with what reading a version showed. */
  readonly onRead: (entry: BaselineEntry, finding: Finding) => void;
  readonly signal: AbortSignal;
}

/** What an object costs beside its bytes, so that a million empty files are no single step. */
const OBJECT_COST_BYTES = 16 * 1024;
/** Not all of a missed time is caught up with at once. */
const MOST_CREDIT_MS = DAY_MS;
/** Objects that are read again after a crash. */
const KEPT_EVERY = 64;
/** So that a pass is over before its days are. */
const AHEAD = 1.1;

/** What a day may cost, in bytes with what objects cost beside them. */
export function costPerDay({ files, bytes }: Totals, pace: Pace): number {
  if (pace.days === 0) return 0;
  const wanted = ((bytes + files * OBJECT_COST_BYTES) / pace.days) * AHEAD;
  return Math.min(wanted, pace.bytesPerDay ?? Number.POSITIVE_INFINITY);
}

/** In how many days all of it is read at that pace, which costs something. */
export function daysPerPass(totals: Totals, pace: Pace): number {
  const { files, bytes } = totals;
  const cost = bytes + files * OBJECT_COST_BYTES;
  return Math.max(pace.days, Math.ceil(cost / costPerDay(totals, pace)));
}

/** Reads what is due by now; `keep` is told how far it is. Rejects with the signal's reason, or as the service fails. */
export async function rereadDue(
  record: ProofRecord,
  context: RereadContext,
  keep: (record: ProofRecord) => void,
): Promise<void> {
  const { state, pace, now, isBusy, signal } = context;
  const elapsedMs = Math.min(MOST_CREDIT_MS, Math.max(0, now() - record.creditAt));
  const perDay = costPerDay(state.baseline.totals(), pace);
  const credit = Math.min(perDay, record.creditBytes + (perDay * elapsedMs) / DAY_MS);
  let current: ProofRecord = { ...record, creditAt: now(), creditBytes: credit };
  try {
    for (let looked = 0; current.creditBytes > 0 && !(looked > 0 && isBusy()); looked++) {
      signal.throwIfAborted();
      const [next] = state.baseline.headsAfter(current.pass.after, 1);
      current = next ? await scrubKey(next.key, current, context) : endPass(current, now());
      if (!next) break;
      if (looked % KEPT_EVERY === 0) keep(current);
    }
  } finally {
    keep(current);
  }
}

function endPass(record: ProofRecord, now: number): ProofRecord {
  const { startedAt, bytes, soundBytes } = record.pass;
  const lastPass = { startedAt, endedAt: now, soundShare: bytes === 0 ? 1 : soundBytes / bytes };
  return { ...record, lastPass, pass: newPruningPass(now) };
}

async function scrubKey(
  key: string,
  record: ProofRecord,
  context: RereadContext,
): Promise<ProofRecord> {
  const entry = context.state.baseline.get(key);
  const bytes = entry?.kind === 'directory' ? 0 : (entry?.sizeBytes ?? 0);
  const finding = entry && bytes > 0 ? await readEntry(entry, context) : SOUND;
  if (entry) context.onRead(entry, finding);
  const fileBytes = entry?.kind === 'file' ? bytes : 0;
  const { pass, creditBytes } = record;
  return {
    ...record,
    pass: {
      ...pass,
      after: key,
      files: pass.files + (entry?.kind === 'file' ? 1 : 0),
      bytes: pass.bytes + fileBytes,
      soundBytes: pass.soundBytes + (finding.is === 'sound' ? fileBytes : 0),
    },
    creditBytes: creditBytes - bytes - OBJECT_COST_BYTES,
  };
}

const SOUND: Finding = { is: 'sound' };

/** What a lost connection hides is no judgement: it rejects. */
async function readEntry(
  { path: key, versionId, etag, sha256 }: BaselineEntry,
  { place, state, signal }: RereadContext,
): Promise<Finding> {
  const expected = { key, etag, sha256, ...defined({ versionId }) };
  const finding = await readAgain(place, expected, { signal });
  // It was mirrored anew while it was read.
  return state.baseline.get(key)?.etag === etag ? finding : { is: 'unread' };
}
