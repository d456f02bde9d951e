/** Shows and stores the parts of a plan that need no action: conflicts and notes. */

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { toLocalEntry } from '../local/local-entry.ts';
import { pathOfKey } from '../model/local-path.ts';
import type { Action } from '../plan/action.ts';
import { expectedHead, writeOf } from '../plan/holds.ts';
import type { Retries } from '../transfer/retries.ts';
import type { Conflict, Plan } from '../plan/plan-types.ts';
import type { StateFile } from '../state/state.ts';
import type { Tracker } from '../model/activity.ts';

export interface RecordContext {
  readonly state: StateFile;
  readonly tracker: Tracker;
  readonly retries: Retries;
  readonly clock: Clock;
}

const OUTCOMES: Record<Conflict['outcome'], string> = {
  held: 'the bucket holds something else there: nothing is done until you decide',
  'kept-both': 'someone else wrote there: what they wrote is kept',
  'took-remote': 'someone else wrote there: their version is taken over, yours is saved first',
};

const NOTES = {
  drifted: 'someone else changed the object; the file did not change, so it is left as it is',
  contested: 'the object was taken away again within a day; it is left so until the file changes',
  'outdated and deleted':
    'the bucket lost its newest version and has an older one of this job; the file is gone, and the object stays',
  'delete skipped': 'someone else changed the object, so it stays although the file is gone',
};

export function recordPlan({ conflicts, notes, halt }: Plan, context: RecordContext): void {
  const { tracker } = context;
  for (const action of halt?.held ?? []) bindOverwrite(action, context);
  for (const conflict of conflicts) {
    const { key, outcome } = conflict;
    const message = OUTCOMES[outcome];
    tracker.say({ level: 'warn', action: 'conflict', path: pathOfKey(key), message });
    if (outcome === 'held') holdConflict(conflict, context);
  }
  for (const { key, is } of notes) {
    if (is === 'drifted' || is === 'contested') {
      tracker.setDrifted(key, true);
      endRetry(key, context);
    }
    if (is === 'outdated') tracker.setOutdated(key);
    if (is in NOTES)
      tracker.say({
        level: 'warn',
        action: is,
        path: pathOfKey(key),
        message: NOTES[is as keyof typeof NOTES],
      });
  }
}

/** Binds a held overwrite to the head that it would replace now: an approval for another head is void. */
function bindOverwrite(action: Action, { state, tracker }: RecordContext): void {
  const { key } = action;
  const write = writeOf(action);
  if (write?.kind !== 'put') return;
  state.heldChanges.bindOverwrite(key, expectedHead(write, state.baseline.get(key)));
  if (state.heldChanges.among([key]).get(key)?.state === 'held') tracker.setHeld(key, false);
}

/** Nothing is sent, so neither a file that changed during an earlier read nor a refused request is retried. */
function endRetry(key: string, { tracker, retries }: RecordContext): void {
  const path = pathOfKey(key);
  tracker.clearProblem(path, 'busy');
  tracker.clearProblem(path, 'refused');
  retries.forget(path);
}

function holdConflict({ key, entry, head }: Conflict, context: RecordContext): void {
  const { state, tracker, clock } = context;
  const { etag, sizeBytes, versionId, sha256 } = head;
  endRetry(key, context);
  tracker.setHeld(key, true);
  state.held.hold(
    key,
    toLocalEntry(entry),
    clock.now(),
    defined({ etag, sizeBytes, versionId, sha256 }),
  );
}
