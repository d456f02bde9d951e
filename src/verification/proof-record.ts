/** What was proven of a job's content, and when: kept in the job's state, so that a restart goes on where it was. */

import type { StateFile } from '../mirror/state/state.ts';

export interface ProofRecord {
  /** The pass over all keys, in their order: begun when, and how far. */
  readonly pass: {
    readonly startedAt: number;
    /** The last key that was looked at; empty at the beginning. */
    readonly after: string;
    readonly files: number;
    readonly bytes: number;
    /** Of the bytes: those that were read, and are what was stored. */
    readonly soundBytes: number;
  };
  /** The last pass that reached the end, and what share of its bytes was found sound. */
  readonly lastPass?: {
    readonly startedAt: number;
    readonly endedAt: number;
    readonly soundShare: number;
  };
  /** Until when content may have been read without going beyond the pace, and what is left of it. */
  readonly creditAt: number;
  readonly creditBytes: number;
  readonly drill?: RestoreTestReport;
}

export interface RestoreTestReport {
  readonly at: number;
  /** Restored whole, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Of large files, compared with the folder; absent where none was tested. */
  readonly ranges?: { readonly count: number; readonly files: number; readonly bytes: number };
  /** What did not come back as it was stored, also large files of earlier tests: the first 20. */
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
  /** When a restore test last found everything that it tested as it was stored. */
  readonly provenAt?: number;
}

/**
 * 0 to 1: how much of `totalBytes` was read since `since` and found sound. The present pass has read the first keys
 * again, the one before it the rest; each at an even pace.
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

/** How much of a pass is before that time. */
export function shareBefore(at: number, startedAt: number, endedAt: number): number {
  if (at >= endedAt) return 1;
  return Math.max(0, (at - startedAt) / (endedAt - startedAt));
}

/** Name of a row in the state's `meta`. */
const PROOF = 'proof';

/** Of our own writing: the state file is nobody else's. */
export function readProof(state: StateFile, now: number): ProofRecord {
  const text = state.meta(PROOF);
  if (text !== undefined) {
    const record = JSON.parse(text) as ProofRecord;
    // A release before did not count what was sound.
    return { ...record, pass: { ...record.pass, soundBytes: record.pass.soundBytes ?? 0 } };
  }
  return { pass: newPruningPass(now), creditAt: now, creditBytes: 0 };
}

export function writeProof(state: StateFile, record: ProofRecord): void {
  state.setMeta(PROOF, JSON.stringify(record));
}

export function newPruningPass(startedAt: number): ProofRecord['pass'] {
  return { startedAt, after: '', files: 0, bytes: 0, soundBytes: 0 };
}
