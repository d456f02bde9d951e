/** Defines the steps in which the action for a key is carried out, and the context that all steps share. */

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { FilesInFlight } from '../../base/files-in-flight.ts';
import type { Logger } from '../../base/logger.ts';
import type { ChangeGuard } from '../guard/change-guard.ts';
import type { Action } from '../plan/action.ts';
import type { JobTurns } from '../limits/job-priority.ts';
import type { NewVersions } from '../objects/lock-rules.ts';
import type { ConditionalWrites } from '../capabilities/conditional-writes.ts';
import type { ReadFile } from '../local/read-file.ts';
import type { RecentReads } from '../local/recent-reads.ts';
import type { TreeMember } from '../local/tree/folder-tree.ts';
import type { JournalRow } from '../state/journal-table.ts';
import type { Plan, PlanPolicy } from '../plan/plan-types.ts';
import type { Deferrals } from '../limits/deferrals.ts';
import type { JobSettings } from '../objects/job-settings.ts';
import type { PutObject } from './put-object.ts';
import type { Retries } from './retries.ts';
import type { Settlement, StateFile } from '../state/state-file.ts';
import type { JobDestination, ReadHead } from '../objects/destination.ts';
import type { Activity, Tracker } from '../model/tracker.ts';
import type { BaselineEntry, Problem } from '../model/types.ts';

export interface Work {
  readonly action: Action;
  /** Number of failed attempts so far. */
  readonly attempts: number;
  /** An earlier request for this key whose outcome is unknown. */
  readonly sent?: JournalRow;
  /** The ETag in the condition of a refused put. */
  readonly refusedFor?: string;
  /** Set if the service did not copy the object, so that the content must be uploaded. */
  readonly sendsBytes?: true;
}

/** The result of a step. `settled`: the work is done. `again`: further work for the same key follows. */
export type Step = StepResult &
  (
    | {
        readonly is: 'settled';
        /** A problem that remains. The job retries the key later. */
        readonly problem?: Problem;
      }
    | { readonly is: 'again'; readonly works: readonly Work[] }
  );

interface StepResult {
  readonly settlement?: Settlement;
  /** Version id of the delete marker, if the service returned it. */
  readonly marker?: string;
  readonly activity?: Activity;
}

/** A prepared action. A request's journal row must be durable before `send` is called. */
export type Prepared =
  | Step
  | { readonly is: 'request'; readonly row: JournalRow; readonly send: () => Promise<Step> };

export interface PerformContext extends NewVersions {
  readonly destination: JobDestination;
  /** Puts an object into the destination's bucket. Rejects with the store's errors. */
  readonly putObject: PutObject;
  readonly root: string;
  /** Shares file digests with other jobs that read the same folder. */
  readonly tree: Pick<TreeMember, 'digests'>;
  /** Folder for snapshots of files that change too often to be read. */
  readonly snapshotFolder: string;
  readonly state: StateFile;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracker: Tracker;
  readonly retries: Retries;
  readonly reads: RecentReads;
  /** The large files that are being read before their upload. */
  readonly filesRead: FilesInFlight;
  readonly guards: ConditionalWrites;
  readonly changeGuard: ChangeGuard;
  /** Coordinates actions with other jobs that have the same target. */
  readonly turns: JobTurns;
  readonly signal: AbortSignal;
  readonly policy: () => Omit<PlanPolicy, 'deleteGuard'>;
  /** Reports and stores a plan's conflicts and notes. */
  readonly record: (plan: Plan) => void;
  /** Minimum number of days for which content that lost a conflict is stored. */
  readonly conflictWindowDays: number;
  /** Receives each new version, in order to enforce `minVersionInterval`. */
  readonly deferrals: Deferrals;
  /** Schedules a scan of the path's folder. */
  readonly hint: (path: string) => void;
  /** Determines the headers, tags and ACL of a new version. */
  readonly settings: Pick<JobSettings, 'of'>;
}

/** The state of a file when its content was read. */
export type FileState = Pick<ReadFile, 'entry' | 'mtimeNs' | 'sha256' | 'content' | 'extras'>;

export const DONE: Step = { is: 'settled' };

export function pickVersion({
  etag,
  versionId,
  uploadedAt,
}: Pick<ReadHead, 'etag' | 'versionId' | 'uploadedAt'>) {
  return { etag, ...defined({ versionId, uploadedAt }) };
}

/**
 * Returns the baseline entry with the found version. If the found version is not the known one, the known upload time
 * is dropped.
 */
export function withFound(known: BaselineEntry, found: ReadHead): BaselineEntry {
  const { uploadedAt, ...entry } = known;
  const isKnown = found.versionId === known.versionId;
  return { ...entry, ...(isKnown && defined({ uploadedAt })), ...pickVersion(found) };
}
