/** Records what was proven about a job's content, and when. The job's state stores it, so that a restart continues. */

import type { StateFile } from '../mirror/state/state.ts';

export interface ProofRecord {
  /** The current pass over all keys in their order: when it started, and how far it is. */
  readonly pass: {
    readonly startedAt: number;
    /** The last key that was read; empty at the start. */
    readonly after: string;
    readonly files: number;
    readonly bytes: number;
    /** The part of `bytes` that was read and is as it was stored. */
    readonly soundBytes: number;
  };
  /** The last pass that reached the end, and the share of its bytes that was intact. */
  readonly lastPass?: {
    readonly startedAt: number;
    readonly endedAt: number;
    readonly soundShare: number;
  };
  /** When the read budget was last extended, and the bytes left in it. */
  readonly creditAt: number;
  readonly creditBytes: number;
  readonly drill?: RestoreTestReport;
}

export interface RestoreTestReport {
  readonly at: number;
  /** Files restored completely, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Ranges of large files that were compared with the folder; absent if none was tested. */
  readonly ranges?: { readonly count: number; readonly files: number; readonly bytes: number };
  /** Files that were not restored as stored, including large files of earlier tests: the first 20. */
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
  /** When a restore test last found everything that it tested as it was stored. */
  readonly provenAt?: number;
}

/**
 * Returns, from 0 to 1, how much of `totalBytes` was read since `since` and was intact. The current pass has read the
 * first keys again, and the pass before it the rest. Assumes that each pass reads at an even pace.
 */
export function verifiedShare(
  { pass, lastPass }: Pick<ProofRecord, 'pass' | 'lastPass'>,
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

/** Returns the share of a pass that is before that time. */
export function shareBefore(at: number, startedAt: number, endedAt: number): number {
  if (at >= endedAt) return 1;
  return Math.max(0, (at - startedAt) / (endedAt - startedAt));
}

/** Name of a row in the state's `meta` table. */
const PROOF = 'proof';

/** Does not validate the record: only Holdfast writes the state file. */
export function readProof(state: StateFile, now: number): ProofRecord {
  const text = state.meta(PROOF);
  if (text !== undefined) {
    const record = JSON.parse(text) as ProofRecord;
    // Earlier releases did not count the intact bytes.
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
