/** Formats the results of restore tests and content verification as text. */

import type { JobStatus } from '../../control/shapes.ts';
import type { Paint } from './output.ts';
import { bytesText, countText, percentText } from '../../text/amounts.ts';
import { timeText } from '../../text/time.ts';

/**
 * Returns lines such as `proven restorable 2026-11-21 14:03:22` and
 * `43 % of the content read again (1.2 GB a day, all in 30 days)`.
 */
export function proofLines({ proof }: JobStatus, paint: Paint): string[] {
  // The job is not open yet, or it does not verify any content.
  if (!proof || proof.daysPerPass === undefined) return [];
  const { lastProvenRestorableAt, lastDrillAt, drillFailures, damagedEarlier } = proof;
  if (lastDrillAt === undefined)
    return ['not proven restorable yet; to run a restore test now: holdfast test'];
  const proven =
    lastProvenRestorableAt === undefined
      ? paint('bad', 'never proven restorable')
      : `proven restorable ${timeText(lastProvenRestorableAt)}`;
  const share = percentText(proof.verifiedShare);
  const cost = `${bytesText(proof.bytesPerDay)} a day, all in ${countText(proof.daysPerPass, 'day')}`;
  const wrong = [
    ...(drillFailures > 0
      ? [`${countText(drillFailures, 'file')} failed the last restore test`]
      : []),
    ...(damagedEarlier > 0
      ? [`${countText(damagedEarlier, 'earlier version')} damaged; the content was uploaded again`]
      : []),
  ];
  return [
    proven,
    `${share} of the content read again (${cost})`,
    ...provenLines(proof),
    ...wrong.map((text) => paint('bad', text)),
  ];
}

/** Returns the coverage, such as `restore tests proved 12 % of the files and 43 % of the bytes within 30 days`. */
function provenLines({ proven }: NonNullable<JobStatus['proof']>): readonly string[] {
  if (!proven) return [];
  const [files, bytes] = [proven.files, proven.bytes].map(percentText);
  const within = `within ${countText(proven.days, 'day')}`;
  return [`restore tests proved ${files} of the files and ${bytes} of the bytes ${within}`];
}
