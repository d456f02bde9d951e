/**
 * Shows what the jobs keep locked, and the next events: the first lock expiry, lock renewals, and versions that are
 * released.
 */

import type { JobStatus } from '../../../src/control/shapes.ts';
import { knownTitle } from '../../data/last-seen.ts';
import type { Ui } from '../../ui/ui.ts';
import { facts } from '../../widgets/facts.ts';
import { bytesText, numberText } from '../../../src/text/amounts.ts';
import { dayText } from '../../../src/text/time.ts';

type Locks = NonNullable<JobStatus['locks']>;

const DAY_MS = 86_400_000;

export function lockTitle(ui: Ui): string {
  // The full title and the time do not fit beside each other.
  return ui.link.isUp ? 'Locks of jobs' : knownTitle('Locks', ui);
}

export function lockLines({ status, clock, look }: Ui): readonly string[] {
  const all = status.jobs.flatMap(({ locks }) => locks ?? []);
  if (all.length === 0) return [look.paint('dim', ' no job locks its versions')];
  const sum = (of: (locks: Locks) => number) => all.reduce((total, each) => total + of(each), 0);
  const first = earliest(all.map(({ earliestUntil }) => earliestUntil));
  const free = earliest(all.map(({ retainedUntil }) => retainedUntil));
  const at = (until: number | undefined) =>
    until === undefined
      ? look.glyphs.none
      : `${dayText(until)} (${Math.round((until - clock.now()) / DAY_MS)} d)`;
  const failing = sum(({ failing: count }) => count);
  const due = `${numberText(sum(({ renewalsDue }) => renewalsDue))} due`;
  const retained = sum((locks) => locks.retained);
  const rows = [
    [
      'locked',
      `${numberText(sum(({ locked }) => locked))}, ${bytesText(sum((each) => each.bytes))}`,
    ],
    ['first ends', at(first)],
    ['renewals', failing > 0 ? look.paint('bad', `${due}, ${numberText(failing)} failing`) : due],
    ['not locked', numberText(sum(({ unlocked }) => unlocked))],
    [
      'retained',
      retained === 0
        ? ''
        : `${numberText(retained)}${free === undefined ? '' : ` until ${dayText(free)}`}`,
    ],
  ] as const;
  return facts(rows, look).map((line) => ` ${line}`);
}

function earliest(instants: readonly (number | undefined)[]): number | undefined {
  const known = instants.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
