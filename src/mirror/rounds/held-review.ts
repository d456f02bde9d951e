/** What the user says of the deletes and overwrites that the brake holds. */

import { randomUUID } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import { alarmText, endAlarm, readAlarm } from '../guard/anomaly-alarm.ts';
import { heldDeletesText, readPassed } from '../guard/held-deletes.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { BrakeControl } from '../mirror.ts';
import type { StateFile } from '../state/state.ts';
import type { BrakeStatus } from '../status.ts';
import type { Tracker } from '../model/activity.ts';
import { letHeldDeletesGo } from './held.ts';

export interface BrakeParts {
  readonly root: string;
  readonly state: StateFile;
  readonly tracker: Tracker;
  /** Has a full round begin. */
  readonly look: () => void;
}

export function controlBrake({ root, state, tracker, look }: BrakeParts): BrakeControl {
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
        passed: readPassed(state),
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
        return letHeldDeletesGo(root, state);
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
function signsOf(state: StateFile): ReturnType<BrakeControl['review']>['signs'] {
  const alarm = readAlarm(state);
  const reason = alarmText(state);
  return alarm && reason !== undefined ? { ...alarm, reason } : undefined;
}

/** For the status; undefined when there is nothing to say. */
export function brakeStatus(state: StateFile): BrakeStatus | undefined {
  const alarm = readAlarm(state);
  const { rejected } = state.heldChanges.counts();
  if (!alarm && rejected === 0) return undefined;
  const reason = alarmText(state);
  return defined({ alarmSince: alarm?.since, reason, rejectedOverwrites: rejected });
}
