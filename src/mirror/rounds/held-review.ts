/** Review, approval and rejection of the deletes and overwrites that the mass-change guard holds. */

import { randomUUID } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import { alarmText, endAlarm, readAlarm } from '../guard/anomaly-alarm.ts';
import { heldDeletesText, deletesBeforeHeld, type DeletesBefore } from '../guard/prior-deletes.ts';
import type { MirrorJob } from '../model/types.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { StateFile } from '../state/state.ts';
import type { Tracker } from '../model/activity.ts';
import { releaseHeldDeletes } from './release-held.ts';
import type { HeldChangesPage } from '../state/held-changes.ts';

export interface HeldChangesParts {
  readonly job: Pick<MirrorJob, 'root'>;
  readonly state: StateFile;
  readonly tracker: Tracker;
  /** Starts a full round. Resolves when it is over. */
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
    // After a damaged state was rebuilt, a key may also be held as a conflict.
    for (const key of heldChanges.overwrites()) if (!state.held.get(key)) tracker.clearHeld(key);
    const isAlarmed = readAlarm(state) !== undefined;
    const { overwrites, renames } = heldChanges.counts();
    const decided = { deletes: decideAll(), overwrites, renames };
    endAlarm(state);
    if (isAlarmed || decided.deletes + overwrites + renames > 0) void requestRound();
    return decided;
  };
  return {
    review: ({ after = '', limit }) => ({
      ...heldChanges.page(after, limit),
      ...defined({
        signs: signsOf(state),
        reason: heldDeletesText(state),
        passed: deletesBeforeHeld(state),
      }),
    }),
    approve(digest) {
      if (digest !== undefined && digest !== heldChanges.digest()) throw changed();
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

function changed(): MirrorError {
  return new MirrorError(
    'HeldChanged',
    'cannot approve: the digest does not match the changes that are held now',
    { hint: 'to list them with their digest: holdfast jobs review JOB' },
  );
}

/** The detected anomaly, if any; its held files are among the held changes. */
function signsOf(state: StateFile): ReturnType<HeldChangesControl['review']>['signs'] {
  const alarm = readAlarm(state);
  const reason = alarmText(state);
  return alarm && reason !== undefined ? { ...alarm, reason } : undefined;
}

/** For the status; undefined if there is nothing to report. */
export function heldStatus(state: StateFile): HeldStatus | undefined {
  const alarm = readAlarm(state);
  const { rejected } = state.heldChanges.counts();
  if (!alarm && rejected === 0) return undefined;
  const reason = alarmText(state);
  return defined({ alarmSince: alarm?.since, reason, rejectedOverwrites: rejected });
}

export interface DecidedChanges {
  readonly deletes: number;
  readonly overwrites: number;
  readonly renames: number;
}

export interface HeldReview extends HeldChangesPage {
  /** Present while an anomaly suggests an attack that encrypts files. */
  readonly signs?: {
    /** When the first file lost its content, in milliseconds since 1970; before that, the folder was intact. */
    readonly since: number;
    readonly reason: string;
  };
  /** How many deletes are held, and why; present while any is. */
  readonly reason?: string;
  /** Present while deletes are held. */
  readonly passed?: DeletesBefore;
}

/** What the mass-change guard holds, and the user's decisions on it. */
export interface HeldChangesControl {
  /** Returns up to `limit` changes after the path `after`. */
  review(page: { readonly after?: string; readonly limit: number }): HeldReview;
  /**
   * Carries out everything held now, in a full round that starts at once. Throws MirrorError `HeldChanged` if the held
   * changes do not have this digest.
   */
  approve(digest?: string): DecidedChanges;
  /**
   * Leaves the bucket as it is for everything held now: deleted files no longer belong to this job, and overwritten
   * files differ from the bucket from then on.
   */
  reject(): DecidedChanges;
}

/** What the mass-change guard reports besides the counts. */
export interface HeldStatus {
  /** Since when files lose their content as in an attack, in milliseconds since 1970; present until the user decides. */
  readonly alarmSince?: number;
  readonly reason?: string;
  /** Number of files that differ from the bucket because the user rejected their new content. */
  readonly rejectedOverwrites: number;
}
