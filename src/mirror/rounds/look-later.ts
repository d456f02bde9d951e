/** What changes or goes while it is being sent is looked at when that is over. */

import { isThere } from '../local/is-there.ts';
import { kindOf } from '../local/local-entry.ts';
import { parentOf, pathOfKey } from '../local/local-path.ts';
import type { Gathered, RoundContext } from './round-plan.ts';

type Looking = Pick<RoundContext, 'tracker' | 'hint'>;

export function lookLater(
  key: string,
  { tracker, hint }: Looking,
  gathered: Pick<Gathered, 'isLate'>,
): void {
  gathered.isLate = true;
  tracker.whenOver(key, () => hint(pathOfKey(key)));
}

/** What is sent for the first time is in no baseline yet, which would tell that it is missing. */
export function lookLaterAtGone(
  context: Looking & Pick<RoundContext, 'root'>,
  gathered: Pick<Gathered, 'isLate' | 'scanned'>,
): void {
  const { root, tracker } = context;
  for (const key of tracker.keysUnderWay()) {
    const path = pathOfKey(key);
    const kind = tracker.underWay(key)?.entry?.kind;
    if (kind === undefined || !gathered.scanned.has(parentOf(path))) continue;
    if (!isThere(root, path, (stats) => kindOf(stats) === kind)) lookLater(key, context, gathered);
  }
}
