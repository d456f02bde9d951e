/** What the user says of the deletes and overwrites that the brake holds. */

import { randomUUID } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import { alarmText, endAlarm, readAlarm } from '../guard/anomaly-alarm.ts';
import { heldDeletesText, deletesBeforeHeld, type DeletesBefore } from '../guard/held-deletes.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { StateFile } from '../state/state.ts';
import type { Tracker } from '../model/activity.ts';
import { releaseHeldDeletes } from './held.ts';
import type { HeldChangesPage } from '../state/held-changes.ts';

export interface HeldChangesParts {
  readonly root: string;
  readonly state: StateFile;
  readonly tracker: Tracker;
  /** Has a full round begin. */
  readonly look: () => void;
}

export function controlHeldChanges({
  root,
  state,
  tracker,
  look,
}: HeldChangesParts): HeldChangesControl {
  const { heldOverwrites, heldDeletes, heldChanges } = state;
  for (const key of heldOverwrites.held()) tracker.setHeld(key, false);
  const decide = (decideAll: () => number) => {
    // After a damaged state was rebuilt, a key may be held as a conflict, too.
    for (const key of heldOverwrites.held()) if (!state.held.get(key)) tracker.clearHeld(key);
    const isAlarmed = readAlarm(state) !== undefined;
    const { overwrites, renames } = heldChanges.counts();
    const decided = { deletes: decideAll(), overwrites, renames };
    endAlarm(state);
    if (isAlarmed || decided.deletes + overwrites + renames > 0) look();
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
      const approval = randomUUID();
      const approveAll = () => {
        heldOverwrites.approve(approval);
        return heldDeletes.approve(approval);
      };
      return decide(() => state.together(approveAll));
    },
    reject: () =>
      decide(() => {
        heldOverwrites.reject();
        return releaseHeldDeletes(root, state);
      }),
  };
}

function changed(): MirrorError {
  return new MirrorError(
    'HeldChanged',
    'cannot approve: the changes that are held have another digest',
    { hint: 'to list them with their digest: holdfast jobs review JOB' },
  );
}

/** What an attack did, as far as was seen; its files that are held are among those that wait. */
function signsOf(state: StateFile): ReturnType<HeldChangesControl['review']>['signs'] {
  const alarm = readAlarm(state);
  const reason = alarmText(state);
  return alarm && reason !== undefined ? { ...alarm, reason } : undefined;
}

/** For the status; undefined when there is nothing to say. */
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
  /** Present while there are signs of an attack that encrypts files. */
  readonly signs?: {
    /** When the first file lost its content, milliseconds since 1970: before that the tree was good. */
    readonly since: number;
    readonly reason: string;
  };
  /** How many deletes are held, and why; present while any is. */
  readonly reason?: string;
  /** Present while deletes are held. */
  readonly passed?: DeletesBefore;
}

/** What the brake holds, and what the user says of it. */
export interface HeldChangesControl {
  /** Up to `limit` changes after the path `after`. */
  review(page: { readonly after?: string; readonly limit: number }): HeldReview;
  /**
   * What is held now will be done in the bucket, by a full round that begins at once. Throws MirrorError `HeldChanged`
   * when it is not what has this digest.
   */
  approve(digest?: string): DecidedChanges;
  /** What is held now stays as it is in the bucket: deleted files are no longer this job's, others differ from then on. */
  reject(): DecidedChanges;
}

/** What the brake has to say beside the counts. */
export interface HeldStatus {
  /** Since when files lose their content in the way of an attack, until the user has decided; milliseconds since 1970. */
  readonly alarmSince?: number;
  readonly reason?: string;
  /** Files that differ from the bucket, since the user rejected their new content. */
  readonly rejectedOverwrites: number;
}
