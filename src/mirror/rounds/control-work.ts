/** What a job is at, from what its parts know: nothing is kept for it. */

import type { Standing } from '../standing.ts';
import type { Tracker } from '../tracker.ts';
import type { WorkControl } from '../work.ts';

export interface WorkParts {
  readonly tracker: Tracker;
  readonly standing: Standing;
}

export function controlWork({ tracker, standing }: WorkParts): WorkControl {
  return {
    sizeOf: (key) => tracker.underWay(key)?.sizeBytes,
    isLooking: () => standing.parts().isScanning,
  };
}
