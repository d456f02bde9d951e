/** What the user says of the deletes that the brake holds. */

import type { BrakeControl } from '../mirror.ts';
import type { StateFile } from '../state/state.ts';
import { letHeldDeletesGo } from './held.ts';

export interface BrakeParts {
  readonly root: string;
  readonly state: StateFile;
  /** Has a full round begin. */
  readonly look: () => void;
}

export function controlBrake({ root, state, look }: BrakeParts): BrakeControl {
  const lookIfAny = (count: number) => {
    if (count > 0) look();
    return count;
  };
  return {
    review: ({ after = '', limit }) => state.heldDeletes.page(after, limit),
    approve: () => lookIfAny(state.heldDeletes.approve()),
    reject: () => lookIfAny(letHeldDeletesGo(root, state)),
  };
}
