/** The steps of one key's work, and what they may use. */

import { randomUUID } from 'node:crypto';

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Logger } from '../../base/logger.ts';
import type { LockRequest } from '../../object-store/object-store.ts';
import type { Action, PutAction } from '../plan/action.ts';
import type { JobTurns } from '../limits/turns.ts';
import type { NewVersions } from '../objects/lock-rules.ts';
import type { ConditionalWrites } from '../capabilities/conditional-writes.ts';
import type { ReadFile } from '../local/file-body.ts';
import type { RecentReads } from '../local/recent-reads.ts';
import type { TreeMember } from '../local/tree/folder-tree.ts';
import { withoutContent } from '../state/baseline-table.ts';
import type { ReplacedContent } from '../model/conflict.ts';
import type { CopySource, JournalRow } from '../state/journal-table.ts';
import type { Plan, PlanPolicy } from '../plan/plan-types.ts';
import type { Deferrals } from '../limits/deferrals.ts';
import type { JobSettings } from '../objects/job-settings.ts';
import type { Retries } from './retries.ts';
import type { Settlement, StateFile } from '../state/state.ts';
import type { JobPlace, ReadHead } from '../objects/destination.ts';
import type { Activity, Tracker } from '../model/activity.ts';
import type { BaselineEntry, Problem } from '../model/types.ts';

export interface Work {
  readonly action: Action;
  /** Failed tries so far. */
  readonly attempts: number;
  /** A request for this key whose outcome is not known. */
  readonly sent?: JournalRow;
  /** The ETag that a put expected, and was refused for. */
  readonly refusedFor?: string;
  /** The service would not copy what it has: the bytes are sent. */
  readonly sendsBytes?: true;
}

/** A settled step is over; `again` goes on with other work for the same key. */
export type Step = StepResult &
  (
    | {
        readonly is: 'settled';
        /** What is left wrong, and tried again. */ readonly problem?: Problem;
      }
    | { readonly is: 'again'; readonly works: readonly Work[] }
  );

interface StepResult {
  readonly settlement?: Settlement;
  /** The delete marker that was made, as far as the service tells. */
  readonly marker?: string;
  readonly activity?: Activity;
}

/** The row is durable before `send` is called. */
export type Prepared =
  | Step
  | { readonly is: 'request'; readonly row: JournalRow; readonly send: () => Promise<Step> };

export interface PerformContext extends NewVersions {
  readonly place: JobPlace;
  readonly root: string;
  /** What other jobs with this folder read. */
  readonly tree: Pick<TreeMember, 'digests'>;
  /** Where files that never stand still are copied to. */
  readonly snapshotFolder: string;
  readonly state: StateFile;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracker: Tracker;
  readonly retries: Retries;
  readonly reads: RecentReads;
  readonly guards: ConditionalWrites;
  /** Between jobs with one target. */
  readonly turns: JobTurns;
  readonly signal: AbortSignal;
  readonly policy: () => Omit<PlanPolicy, 'deleteGuard'>;
  /** Conflicts and notes of a plan are shown and kept. */
  readonly record: (plan: Plan) => void;
  /** How long what gave way in a conflict is kept at least. */
  readonly conflictWindowDays: number;
  /** Told of each new version. */
  readonly deferrals: Deferrals;
  /** Has the path's folder scanned. */
  readonly hint: (path: string) => void;
  /** Headers, tags and rights. */
  readonly settings: Pick<JobSettings, 'of'>;
}

/** A file as it was when its content was known. */
export type FileState = Pick<ReadFile, 'entry' | 'mtimeNs' | 'sha256' | 'content' | 'extras'>;

export const OVER: Step = { is: 'settled' };

export function pickVersion({
  etag,
  versionId,
  uploadedAt,
}: Pick<ReadHead, 'etag' | 'versionId' | 'uploadedAt'>) {
  return { etag, ...defined({ versionId, uploadedAt }) };
}

/** The baseline with the version that was found. Another version than the known one does not get its own time. */
export function withFound(known: BaselineEntry, found: ReadHead): BaselineEntry {
  const { uploadedAt, ...entry } = known;
  const isKnown = found.versionId === known.versionId;
  return { ...entry, ...(isKnown && defined({ uploadedAt })), ...pickVersion(found) };
}

function pickReplacedContent(covered: ReplacedContent): ReplacedContent {
  const { etag, versionId, sizeBytes, sha256, savedAs, retainUntil, resolution } = covered;
  return defined({ etag, versionId, sizeBytes, sha256, savedAs, retainUntil, resolution });
}

export interface PutRowParts {
  readonly now: number;
  /** In the metadata of the version. */
  readonly uploadedAt: number;
  readonly lock?: LockRequest;
  /** Of a copy: its source. */
  readonly copies?: CopySource;
}

/** Journals what a put or a copy is about to make. */
export function putRow(
  { key, why, guard, supersedes }: PutAction,
  { entry, sha256, content }: Omit<FileState, 'mtimeNs' | 'extras'>,
  { now, uploadedAt, lock, copies }: PutRowParts,
): JournalRow {
  return {
    id: randomUUID(),
    key,
    operation: 'put',
    sha256,
    startedAt: now,
    entry: {
      ...entry,
      ...defined({
        copies,
        content,
        uploadedAt,
        retainUntil: lock?.retention?.retainUntil,
        reprotectedAt: why === 'missing' ? now : undefined,
      }),
    },
    ...('ifMatch' in guard && { expected: guard.ifMatch }),
    ...(supersedes && { supersedes: pickReplacedContent(supersedes) }),
  };
}

/** What the metadata of the row's version say of the upload. */
export function uploadOf({ id, entry, startedAt }: JournalRow) {
  // A row of an earlier release has no own time.
  return { journalId: id, uploadedAt: entry?.uploadedAt ?? startedAt };
}

/** The baseline that a put of ours made, once it is known what the service calls it. */
export function settlePut(
  { id, key, entry, sha256, supersedes, startedAt: at }: JournalRow,
  made: { readonly etag: string; readonly versionId?: string },
): Settlement {
  if (!entry || sha256 === undefined) return { key, journalId: id, baseline: 'keep' };
  const { copies: _, ...known } = entry;
  return {
    key,
    journalId: id,
    baseline: { ...known, sha256, ...pickVersion(made) },
    ...(supersedes && { replacedContent: { ...supersedes, id, side: 'bucket', at } }),
  };
}

/**
 * The row made a version that has not the bytes that were meant, and that a lock keeps: the baseline knows no content of
 * it, so that the file is sent over it as a change, whatever the version's metadata claim.
 */
export function settleDamaged(
  row: JournalRow,
  made: { readonly etag: string; readonly versionId?: string },
): Settlement {
  const settlement = settlePut(row, made);
  const { baseline } = settlement;
  return typeof baseline === 'object'
    ? { ...settlement, baseline: withoutContent(baseline) }
    : settlement;
}

/** The row is over, and nothing came of it. */
export function ended({ id, key }: JournalRow): Settlement {
  return { key, journalId: id, baseline: 'keep' };
}
