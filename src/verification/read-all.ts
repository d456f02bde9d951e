/** Rereads stored content from the service in small steps, and compares it with its recorded hash. */

import { defined } from '../base/defined.ts';
import { DAY_MS } from '../base/durations.ts';
import type { Totals } from '../mirror/state/baseline-table.ts';
import type { StateFile } from '../mirror/state/state-file.ts';
import type { Destination } from '../mirror/objects/destination.ts';
import type { BaselineEntry } from '../mirror/model/types.ts';
import { newPass, type ProofRecord } from './proof-record.ts';
import { type Finding, readAgain } from './reread.ts';

/** The speed at which stored content is read again. */
export interface Pace {
  /** The number of days within which all content is read. If 0, nothing is read. */
  readonly days: number;
  /** The maximum number of bytes per day. Undefined for unlimited. */
  readonly bytesPerDay: number | undefined;
}

export interface RereadContext {
  readonly destination: Destination;
  readonly state: StateFile;
  readonly pace: Pace;
  readonly now: () => number;
  /** Returns whether uploads are running. If they are, at most one object is read. */
  readonly isBusy: () => boolean;
  /** Called with the result of rereading one version. */
  readonly onRead: (entry: BaselineEntry, finding: Finding) => void;
  readonly signal: AbortSignal;
}

/** The cost of each object in addition to its size, so that a million empty files take more than one step. */
const OBJECT_COST_BYTES = 16 * 1024;
/** After an interruption, reading catches up with at most this much time at once. */
const MOST_CREDIT_MS = DAY_MS;
/** The number of objects after which progress is saved. After a crash, at most this many objects are read again. */
const SAVE_EVERY = 64;
/** Reading is faster than required by this factor, so that a pass ends before its number of days has elapsed. */
const PACE_MARGIN = 1.1;

/** Returns the daily budget in bytes, including the cost per object. */
export function costPerDay({ files, bytes }: Totals, pace: Pace): number {
  if (pace.days === 0) return 0;
  const wanted = ((bytes + files * OBJECT_COST_BYTES) / pace.days) * PACE_MARGIN;
  return Math.min(wanted, pace.bytesPerDay ?? Number.POSITIVE_INFINITY);
}

/** Returns the number of days in which all content is read at this pace. The pace must not be 0. */
export function daysPerPass(totals: Totals, pace: Pace): number {
  const { files, bytes } = totals;
  const cost = bytes + files * OBJECT_COST_BYTES;
  return Math.max(pace.days, Math.ceil(cost / costPerDay(totals, pace)));
}

/**
 * Reads the content that is due by now, and calls `save` with the progress. Rejects with the signal's reason or the
 * store's errors.
 */
export async function rereadDue(
  record: ProofRecord,
  context: RereadContext,
  save: (record: ProofRecord) => void,
): Promise<void> {
  const { state, pace, now, isBusy, signal } = context;
  const elapsedMs = Math.min(MOST_CREDIT_MS, Math.max(0, now() - record.creditAt));
  const perDay = costPerDay(state.baseline.totals(), pace);
  const credit = Math.min(perDay, record.creditBytes + (perDay * elapsedMs) / DAY_MS);
  let current: ProofRecord = { ...record, creditAt: now(), creditBytes: credit };
  try {
    for (let readCount = 0; current.creditBytes > 0 && !(readCount > 0 && isBusy()); readCount++) {
      signal.throwIfAborted();
      const [next] = state.baseline.headsAfter(current.pass.after, 1);
      current = next ? await rereadKey(next.key, current, context) : endPass(current, now());
      if (!next) break;
      if (readCount % SAVE_EVERY === 0) save(current);
    }
  } finally {
    save(current);
  }
}

function endPass(record: ProofRecord, now: number): ProofRecord {
  const { startedAt, bytes, soundBytes } = record.pass;
  const lastPass = { startedAt, endedAt: now, soundShare: bytes === 0 ? 1 : soundBytes / bytes };
  return { ...record, lastPass, pass: newPass(now) };
}

async function rereadKey(
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

/** Reads one version again. Rejects if the connection is lost, because that proves nothing about the content. */
async function readEntry(
  { path: key, versionId, etag, sha256 }: BaselineEntry,
  { destination, state, signal }: RereadContext,
): Promise<Finding> {
  const expected = { key, etag, sha256, ...defined({ versionId }) };
  const finding = await readAgain(destination, expected, { signal });
  // A new version may have been uploaded during the read.
  return state.baseline.get(key)?.etag === etag ? finding : { is: 'unread' };
}
