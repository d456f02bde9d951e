/** What jobs lock in all, what there is to do, what is wrong, and what these figures do not count. Pure. */

import { bytesText, countText, numberText } from '../../../src/text/amounts.ts';
import { dayText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import type { LockedJob, Summary } from './lock-lists.ts';

/**
 * Counts and bytes by mode, then what is due, failing, not locked, released and waiting; both of jobs only. Then which buckets
 * may hold other locks, so that zeros do not read as "nothing is locked".
 */
export function sumLines(
  { modes, jobs, renewalsDue, retainedCount, unopened, buckets }: Summary,
  look: Look,
): string[] {
  const locked = modes
    .filter(({ versions }) => versions > 0)
    .map(
      ({ mode, versions, bytes }) =>
        `${mode} ${countText(versions, 'version')}, ${bytesText(bytes)}`,
    );
  const sum = (of: (locks: LockedJob['locks']) => number) =>
    numberText(jobs.reduce((all, { locks }) => all + of(locks), 0));
  const ends = jobs.flatMap(({ locks }) => locks.earliestUntil ?? []);
  const words = [
    `due ${numberText(renewalsDue)}`,
    `failing ${sum(({ failing }) => failing)}`,
    `not locked ${sum(({ unlocked }) => unlocked)}`,
    `released ${sum(({ released }) => released)}`,
    `waiting ${numberText(retainedCount)}`,
    ...(ends.length > 0 ? [`first end ${dayText(Math.min(...ends))}`] : []),
  ];
  const none = unopened.length > 0 ? 'no open job sets locks' : 'no job sets locks';
  const closed = unopened.map((name) => look.name(name)).join(', ');
  const sums = [
    ...(locked.length > 0 ? locked : [none]),
    ...(closed === '' ? [] : [`not counted: ${closed} (not open)`]),
  ];
  return [sums.join('   '), words.join('  '), otherLocksText(buckets.length)];
}

/** Of the embedded store: only a bucket with object lock can hold a lock or a legal hold. */
function otherLocksText(buckets: number): string {
  return buckets === 0
    ? 'no bucket of the embedded store has object lock: its versions are not locked'
    : `only job locks are counted: ${countText(buckets, 'bucket')} may hold other locks and legal holds`;
}

/** Why renewal may not go on: that matters more than any number. */
export function refusalOf({ jobs }: Summary): string | undefined {
  const refused = jobs.find(({ locks }) => locks.renewalRight === 'refused');
  if (!refused) return undefined;
  const { reason = 'the service did not say why' } = refused.locks;
  return `${refused.name}: locks cannot be renewed: ${reason}`;
}
