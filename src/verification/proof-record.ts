/**
 * Records which content of a job was verified, and when. The record is part of the job's state and survives a restart.
 */

import type { StateFile } from '../mirror/state/state-file.ts';

export interface ProofRecord {
  /** The progress of the current rereading pass. A pass reads all keys in key order. */
  readonly pass: {
    readonly startedAt: number;
    /** The last key that was read. Empty at the start of the pass. */
    readonly after: string;
    readonly files: number;
    readonly bytes: number;
    /** The part of `bytes` that was found intact. */
    readonly soundBytes: number;
  };
  /** The last complete pass. `soundShare` is the share of its bytes that was intact, from 0 to 1. */
  readonly lastPass?: Reading;
  /**
   * The verification that read back the most content. `soundShare` is the share of the job's bytes that it found
   * intact.
   */
  readonly readBack?: Reading;
  /** When the read budget was last extended. `creditBytes` is the number of bytes that remain in it. */
  readonly creditAt: number;
  readonly creditBytes: number;
  readonly drill?: RestoreTestReport;
}

interface Reading {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly soundShare: number;
}

export interface RestoreTestReport {
  readonly at: number;
  /** The number of whole files that the test restored. `bytes` is the number of bytes downloaded for them. */
  readonly files: number;
  readonly bytes: number;
  /** The number of ranges of large files that were compared with the folder. Absent if no range was tested. */
  readonly ranges?: { readonly count: number; readonly files: number; readonly bytes: number };
  /** The first 20 files whose last test failed, including large files of earlier tests. */
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
  /** When a restore test last found all tested content intact, in milliseconds since 1970. */
  readonly provenAt?: number;
}

/**
 * Returns the share of `totalBytes`, from 0 to 1, that was read since `since` and was intact. Adds the content that
 * the current pass has read, and the remaining content from the previous pass. Assumes that each pass reads at a
 * constant rate. If a verification read back a larger share, returns that share instead, because both may have read
 * the same content.
 */
export function verifiedShare(
  { pass, lastPass, readBack }: Pick<ProofRecord, 'pass' | 'lastPass' | 'readBack'>,
  totalBytes: number,
  { since, now }: { readonly since: number; readonly now: number },
): number {
  return Math.max(
    sharePassed({ pass, lastPass }, totalBytes, { since, now }),
    recent(readBack, since),
  );
}

/** Records a verification that read content back, unless an earlier one still counts for more. */
export function withReadBack(record: ProofRecord, readBack: Reading, since: number): ProofRecord {
  return recent(record.readBack, since) > recent(readBack, since)
    ? record
    : { ...record, readBack };
}

/** Returns the share of the content that a reading found intact since `since`. */
function recent(reading: Reading | undefined, since: number): number {
  if (!reading) return 0;
  return reading.soundShare * (1 - shareBefore(since, reading.startedAt, reading.endedAt));
}

function sharePassed(
  {
    pass,
    lastPass,
  }: { readonly pass: ProofRecord['pass']; readonly lastPass: Reading | undefined },
  totalBytes: number,
  { since, now }: { readonly since: number; readonly now: number },
): number {
  const of = (bytes: number) => (totalBytes === 0 ? 0 : Math.min(1, bytes / totalBytes));
  const present = of(pass.soundBytes) * (1 - shareBefore(since, pass.startedAt, now));
  if (!lastPass) return present;
  const readAgain = pass.after === '' ? 0 : of(pass.bytes);
  const tooOld = shareBefore(since, lastPass.startedAt, lastPass.endedAt);
  return present + lastPass.soundShare * (1 - Math.max(readAgain, tooOld));
}

/** Returns the share of a pass, from 0 to 1, that took place before the time `at`. */
export function shareBefore(at: number, startedAt: number, endedAt: number): number {
  if (at >= endedAt) return 1;
  return Math.max(0, (at - startedAt) / (endedAt - startedAt));
}

/** The name of the `meta` record in the job's state that contains the proof record. */
const PROOF = 'proof';

/** Reads the proof record from the job's state. Does not validate it, because only Holdfast writes the state file. */
export function readProof(state: StateFile, now: number): ProofRecord {
  const text = state.meta(PROOF);
  if (text !== undefined) {
    const record = JSON.parse(text) as ProofRecord;
    // Records that earlier releases of Holdfast wrote have no `soundBytes`.
    return { ...record, pass: { ...record.pass, soundBytes: record.pass.soundBytes ?? 0 } };
  }
  return { pass: newPass(now), creditAt: now, creditBytes: 0 };
}

export function writeProof(state: StateFile, record: ProofRecord): void {
  state.setMeta(PROOF, JSON.stringify(record));
}

export function newPass(startedAt: number): ProofRecord['pass'] {
  return { startedAt, after: '', files: 0, bytes: 0, soundBytes: 0 };
}
