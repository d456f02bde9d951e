/** What is locked in all, what there is to do, and what is wrong. Pure. */

import { bytesText, countOf, countText, dayText } from '../../text/amounts.ts';
import type { LockedJob, Summary } from './lock-lists.ts';

/** Counts and bytes by mode, then what is due, failing, not locked, released and waiting. */
export function sumLines({ modes, jobs, renewalsDue, retainedCount }: Summary): string[] {
  const locked = modes
    .filter(({ versions }) => versions > 0)
    .map(
      ({ mode, versions, bytes }) => `${mode} ${countOf(versions, 'version')}, ${bytesText(bytes)}`,
    );
  const sum = (of: (locks: LockedJob['locks']) => number) =>
    countText(jobs.reduce((all, { locks }) => all + of(locks), 0));
  const ends = jobs.flatMap(({ locks }) => locks.earliestUntil ?? []);
  const words = [
    `due ${countText(renewalsDue)}`,
    `failing ${sum(({ failing }) => failing)}`,
    `not locked ${sum(({ unlocked }) => unlocked)}`,
    `released ${sum(({ released }) => released)}`,
    `waiting ${countText(retainedCount)}`,
    ...(ends.length > 0 ? [`first end ${dayText(Math.min(...ends))}`] : []),
  ];
  return [locked.length > 0 ? locked.join('   ') : 'no job locks anything', words.join('  ')];
}

/** Why renewal may not go on: that matters more than any number. */
export function refusalOf({ jobs }: Summary): string | undefined {
  const refused = jobs.find(({ locks }) => locks.renewalRight === 'refused');
  if (!refused) return undefined;
  const { reason = 'the service did not say why' } = refused.locks;
  return `${refused.name}: locks cannot be renewed: ${reason}`;
}
