/** Lets users review, approve and reject the deletes and overwrites that the mass-change guard holds. */

import { randomUUID } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import { alarmText, endAlarm, readAlarm } from '../guard/anomaly-alarm.ts';
import { heldDeletesText, deletesBeforeHeld, type DeletesBefore } from '../guard/prior-deletes.ts';
import type { MirrorJob } from '../model/types.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Tracker } from '../model/tracker.ts';
import { releaseHeldDeletes } from './release-held.ts';
import type { HeldChangesPage } from '../state/held-changes.ts';
import type { HeldFolder, HeldGroup } from '../state/held-groups.ts';

export interface HeldChangesParts {
  readonly job: Pick<MirrorJob, 'name' | 'root'>;
  readonly state: StateFile;
  readonly tracker: Tracker;
  /** Starts a full round. Resolves when the round is over. */
  readonly requestRound: () => Promise<void>;
}

export function controlHeldChanges({
  job,
  state,
  tracker,
  requestRound,
}: HeldChangesParts): HeldChangesControl {
  const { heldChanges } = state;
  for (const key of heldChanges.overwrites()) tracker.setHeld(key, false);
  const decide = (decideAll: () => number) => {
    // If a damaged state was rebuilt, the key may also be held as a conflict.
    for (const key of heldChanges.overwrites()) if (!state.held.get(key)) tracker.clearHeld(key);
    const isAlarmed = readAlarm(state) !== undefined;
    const { overwrites, renames } = heldChanges.counts();
    const decided = { deletes: decideAll(), overwrites, renames };
    endAlarm(state);
    if (isAlarmed || decided.deletes + overwrites + renames > 0) void requestRound();
    return decided;
  };
  return {
    review: ({ after = '', limit, within, withGroups = false }) => ({
      ...heldChanges.page(after, limit, within),
      ...(withGroups && { groups: heldChanges.groups() }),
      ...defined({
        signs: signsOf(state),
        reason: heldDeletesText(state),
        passed: deletesBeforeHeld(state),
      }),
    }),
    approve(digest) {
      if (digest !== undefined && digest !== heldChanges.digest()) throw changed(job.name);
      return decide(() => {
        const { deletes } = heldChanges.counts();
        heldChanges.approve(randomUUID());
        return deletes;
      });
    },
    reject: () =>
      decide(() => {
        heldChanges.rejectOverwrites();
        return releaseHeldDeletes(job.root, state);
      }),
  };
}

function changed(job: string): MirrorError {
  return new MirrorError(
    'HeldChanged',
    'cannot approve: the digest does not match the changes that are held now',
    { hint: `to list them with their digest: holdfast job review ${job}` },
  );
}

/** Returns the detected anomaly, if there is one. Its held files are included in the held changes. */
function signsOf(state: StateFile): ReturnType<HeldChangesControl['review']>['signs'] {
  const alarm = readAlarm(state);
  const reason = alarmText(state);
  return alarm && reason !== undefined ? { ...alarm, reason } : undefined;
}

/** Returns the mass-change guard's state for the job's status; undefined if there is nothing to report. */
export function heldStatus(state: StateFile): HeldStatus | undefined {
  const alarm = readAlarm(state);
  const { rejected, rejectedDeletes } = state.heldChanges.counts();
  if (!alarm && rejected + rejectedDeletes === 0) return undefined;
  return {
    rejectedOverwrites: rejected,
    ...defined({ alarmSince: alarm?.since, reason: alarmText(state) }),
    ...(rejectedDeletes > 0 && { rejectedDeletes }),
  };
}

export interface DecidedChanges {
  readonly deletes: number;
  readonly overwrites: number;
  readonly renames: number;
}

export interface HeldReview extends HeldChangesPage {
  /** The anomaly that indicates an attack by encryption; absent if none was detected. */
  readonly signs?: {
    /**
     * When the first file lost its readable content, in milliseconds since 1970. The folder was intact before that
     * time.
     */
    readonly since: number;
    readonly reason: string;
  };
  /** How many deletes are held and why; absent if no delete is held. */
  readonly reason?: string;
  /** The held changes by folder, if they were requested. */
  readonly groups?: readonly HeldGroup[];
  /** Deletes that the guard allowed before it began to hold deletes. Present as long as deletes are held. */
  readonly passed?: DeletesBefore;
}

/** Operations with which the user decides about the changes that the mass-change guard holds. */
export interface HeldChangesControl {
  /** Returns up to `limit` held changes that follow the path `after`, of all folders or only of one group. */
  review(page: {
    readonly after?: string;
    readonly limit: number;
    readonly within?: HeldFolder;
    readonly withGroups?: boolean;
  }): HeldReview;
  /**
   * Starts a full round that carries out all held changes. Throws MirrorError `HeldChanged` if the held changes do not
   * have this digest.
   */
  approve(digest?: string): DecidedChanges;
  /**
   * Rejects all held changes, so the bucket stays unchanged. Deleted files no longer belong to this job, and
   * overwritten files differ from the bucket.
   */
  reject(): DecidedChanges;
}

/** The mass-change guard's status without its counts. */
export interface HeldStatus {
  /**
   * When files began to lose their readable content, in milliseconds since 1970. Present from the detection of an
   * attack until the user decides.
   */
  readonly alarmSince?: number;
  readonly reason?: string;
  /** Number of files that differ from the bucket because the user rejected their new content. */
  readonly rejectedOverwrites: number;
  /** Number of files that are only in the bucket, because the user rejected their deletes; absent if 0. */
  readonly rejectedDeletes?: number;
}
