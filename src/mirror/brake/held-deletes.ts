/** The deletes that the brake holds, as they are told of until the user decides, who looks long after the window. */

import { defined } from '../../base/defined.ts';
import { deleteLimit, DELETE_WINDOW_MS } from '../plan/brakes.ts';
import type { StateFile } from '../state/state.ts';

/** Deletes that the brake let pass before it held others. */
export interface PassedDeletes {
  /** Milliseconds since 1970: by then none of them was done. */
  readonly before: number;
  /** How many changes of the user's they were. */
  readonly deletes: number;
}

/** What was so when none was held yet. */
interface Beginning extends PassedDeletes {
  /** Files of the job where the number of the deletes was the reason; absent where encrypted files were. */
  readonly files?: number;
}

/** Name of a row in the state's `meta`: JSON of a Beginning; older daemons noted no `files`. */
const BEGINNING = 'deletes passed';
/** Services tell times in whole seconds, of which a delete's may be the earlier end. */
const SECOND_MS = 1_000;

/** `now`: when the deletes are planned of which some are held; those of the window came before. */
export function noteHeldDeletes(
  state: StateFile,
  { deletes, files, now }: { deletes: number; files: number | undefined; now: number },
): void {
  const first = state.firstDeleteSince(now - DELETE_WINDOW_MS) ?? now;
  const before = Math.floor(first / SECOND_MS) * SECOND_MS - 1;
  const beginning: Beginning = { before, deletes, ...defined({ files }) };
  state.setMeta(BEGINNING, JSON.stringify(beginning));
}

/** Undefined while none is held. */
export function readPassed(state: StateFile): PassedDeletes | undefined {
  const beginning = readBeginning(state);
  return beginning && { before: beginning.before, deletes: beginning.deletes };
}

/** How many are held at this moment, and why; undefined for none. */
export function heldDeletesText(state: StateFile): string | undefined {
  const { deletes } = state.heldChanges.counts();
  if (deletes === 0) return undefined;
  const { files, deletes: passed = 0 } = readBeginning(state) ?? {};
  const held = deletes === 1 ? '1 delete is held' : `${deletes} deletes are held`;
  const withPassed = passed === 0 ? '' : `with ${passed} done in the 10 minutes before, `;
  const why =
    files === undefined
      ? ''
      : `: ${withPassed}more than ${deleteLimit(files)} of ${files} files were to go at once`;
  return `${held}${why}; their objects stay in the bucket`;
}

function readBeginning(state: StateFile): Beginning | undefined {
  const text = state.heldDeletes.isAnyWaiting() ? state.meta(BEGINNING) : undefined;
  // Of our own writing: the state file is nobody else's.
  return text === undefined ? undefined : (JSON.parse(text) as Beginning);
}
