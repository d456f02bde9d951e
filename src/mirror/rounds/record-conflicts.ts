/** Reports and stores those parts of a plan that require no action: conflicts and notes. */

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { toLocalEntry } from '../local/local-entry.ts';
import { pathOfKey } from '../model/local-path.ts';
import type { Action } from '../plan/action.ts';
import { expectedHead, writeOf } from '../plan/holds.ts';
import type { Retries } from '../transfer/retries.ts';
import type { Conflict, Plan } from '../plan/plan-types.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Tracker } from '../model/tracker.ts';

export interface RecordContext {
  readonly state: StateFile;
  readonly tracker: Tracker;
  readonly retries: Retries;
  readonly clock: Clock;
}

const OUTCOMES: Record<Conflict['outcome'], string> = {
  held: 'the object in the bucket differs from the file: nothing is changed until you resolve the conflict (holdfast conflict list)',
  'kept-both':
    'the file and the object both changed: the file is uploaded, and the version of the other client is kept',
  'took-remote':
    'the file and the object both changed: the version of the other client replaces the file, which is saved first',
};

const NOTES = {
  drifted:
    'another client changed the object; the file did not change, so the object stays as it is',
  contested:
    'another client removed the object again within a day; the job uploads the file again only when it changes',
  'outdated and deleted':
    'the bucket lost the newest version and has an older one of this job; the file was deleted, but the object stays',
  'delete skipped': 'another client changed the object, so it stays although the file was deleted',
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

/** Records which version a held overwrite would replace now. Any approval for another version becomes invalid. */
function bindOverwrite(action: Action, { state, tracker }: RecordContext): void {
  const { key } = action;
  const write = writeOf(action);
  if (write?.kind !== 'put') return;
  state.heldChanges.bindOverwrite(key, expectedHead(write, state.baseline.get(key)));
  if (state.heldChanges.among([key]).get(key)?.state === 'held') tracker.setHeld(key, false);
}

/** Cancels the retry for a key when no request will be sent for it. */
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
