/**
 * Calculates totals over all locks: locked bytes, pending renewals and failures, and what these totals do not include.
 * All functions are pure.
 */

import { bytesText, countText, numberText } from '../../../src/text/amounts.ts';
import { dayText, minuteText } from '../../../src/text/time.ts';
import { widthOf, wrap } from '../../text/width.ts';
import type { Look } from '../../theme/look.ts';
import type { LockedJob, Summary } from './lock-lists.ts';

/**
 * Returns why locks cannot be renewed, if a service refuses renewals; the locked versions and bytes by mode; the number
 * of locks that are due for renewal, failing, missing, released or retained; and the buckets of the embedded store. The
 * lines name what is not counted, so that zeros do not read as "nothing is locked". A sum is one line of at most `width`
 * cells if a short form of it fits.
 */
export function sumLines(summary: Summary, width: number, look: Look): string[] {
  const { modes, jobs, renewalsDue, retainedCount, unopened, buckets } = summary;
  const lockedTexts = (count: (versions: number) => string) =>
    modes
      .filter(({ versions }) => versions > 0)
      .map(({ mode, versions, bytes }) => `${mode} ${count(versions)}, ${bytesText(bytes)}`);
  const sum = (of: (locks: LockedJob['locks']) => number) =>
    numberText(jobs.reduce((all, { locks }) => all + of(locks), 0));
  const ends = jobs.flatMap(({ locks }) => locks.earliestUntil ?? []);
  const words = [
    `due ${numberText(renewalsDue)}`,
    `failing ${sum(({ failing }) => failing)}`,
    `not locked ${sum(({ unlocked }) => unlocked)}`,
    `released ${sum(({ released }) => released)}`,
    `waiting ${numberText(retainedCount)}`,
  ];
  const first = ends.length > 0 ? [`first end ${dayText(Math.min(...ends))}`] : [];
  const jobsOnly =
    unopened.length > 0 ? 'no open job locks its versions' : 'no job locks its versions';
  const none = isWhole({ unopened, buckets }) ? 'no version is locked' : jobsOnly;
  const since = staleSince({ buckets });
  const closed = unopened.map((name) => look.name(name)).join(', ');
  const sums = (locked: readonly string[]) =>
    [
      ...(locked.length > 0 ? locked : since === undefined ? [none] : []),
      ...(since === undefined ? [] : [`changes since ${minuteText(since)} are not counted yet`]),
      ...(closed === '' ? [] : [`not counted: ${closed} (not open)`]),
    ].join('   ');
  const forms = [
    [sums(lockedTexts((count) => countText(count, 'version'))), sums(lockedTexts(numberText))],
    // The short form omits the first end of a lock, because the list of jobs also shows it.
    [[...words, ...first].join('  '), words.join('  ')],
    [bucketsText(buckets)],
  ];
  const refusal = refusalOf(summary);
  const refused = refusal === undefined ? [] : wrap(look.name(refusal), width);
  const lines = forms.flatMap((texts) => {
    const fitting = texts.find((text) => widthOf(text) <= width) ?? texts.at(-1) ?? '';
    return wrap(fitting, width);
  });
  return [...refused.map((line) => look.paint('bad', line)), ...lines];
}

/** Returns whether the totals include all locks of all jobs and of the embedded store. */
export function isWhole({ unopened, buckets }: Pick<Summary, 'buckets' | 'unopened'>): boolean {
  return unopened.length === 0 && buckets.every(({ counted }) => counted !== undefined);
}

/** Returns the time of the oldest count of a bucket that has changed since. Undefined if all counts are current. */
export function staleSince({ buckets }: Pick<Summary, 'buckets'>): number | undefined {
  const stale = buckets.flatMap(({ counted }) => (counted?.hasChanged ? [counted.at] : []));
  return stale.length === 0 ? undefined : Math.min(...stale);
}

/**
 * Describes which buckets of the embedded store are counted. Only a bucket with Object Lock can contain locks and legal
 * holds.
 */
function bucketsText(buckets: Summary['buckets']): string {
  if (buckets.length === 0) return 'no bucket of the embedded store has object lock';
  const counted = buckets.flatMap((bucket) => bucket.counted ?? []);
  if (counted.length < buckets.length) {
    const rest = countText(buckets.length - counted.length, 'bucket');
    return `counting the locks in ${rest}: only those of jobs so far`;
  }
  const held = counted.reduce((sum, each) => sum + each.held.versions, 0);
  return `legal hold ${countText(held, 'version')}`;
}

/** Returns why locks cannot be renewed, if the service refuses renewals. This is more important than the totals. */
function refusalOf({ jobs }: Summary): string | undefined {
  const refused = jobs.find(({ locks }) => locks.renewalRight === 'refused');
  if (!refused) return undefined;
  const { reason = 'the service did not say why' } = refused.locks;
  return `${refused.name}: locks cannot be renewed: ${reason}`;
}
