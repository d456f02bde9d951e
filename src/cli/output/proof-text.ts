/** Formats the results of restore tests and content verification as text. */

import type { JobStatus } from '../../control/shapes.ts';
import type { Paint } from './output.ts';
import { bytesText, countText, shareText } from '../../text/amounts.ts';
import { timeText } from '../../text/time.ts';

type Proof = NonNullable<JobStatus['proof']>;

/**
 * Returns lines such as `proven restorable 2026-11-21 14:03:22` and
 * `43 % of the content read again (1.2 GB a day, all in 30 days)`. A test that has not begun has no percentage, because
 * `0 %` looks like a failure.
 */
export function proofLines({ name, proof }: JobStatus, paint: Paint): string[] {
  // The job is not open yet, or it does not verify any content.
  if (!proof || proof.daysPerPass === undefined) return [];
  const { lastProvenRestorableAt, lastDrillAt, drillFailures, damagedEarlier } = proof;
  if (lastDrillAt === undefined)
    return [`not tested yet; to run a restore test now: holdfast test ${name}`];
  const proven =
    lastProvenRestorableAt === undefined
      ? paint('bad', 'never proven restorable')
      : `proven restorable ${timeText(lastProvenRestorableAt)}`;
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
    readAgainText(proof, proof.daysPerPass, name),
    ...provenLines(proof, name),
    ...wrong.map((text) => paint('bad', text)),
  ];
}

function readAgainText({ verifiedShare, bytesPerDay }: Proof, days: number, name: string): string {
  const pace = `${bytesText(Math.ceil(bytesPerDay))} a day, all in ${countText(days, 'day')}`;
  return verifiedShare > 0
    ? `${shareText(verifiedShare)} of the content read again (${pace})`
    : `content not read again yet (${pace}); to read it now: holdfast verify ${name} --read-back`;
}

/** Returns the coverage, such as `restore tests proved 12 % of the files and 43 % of the bytes within 30 days`. */
function provenLines({ proven }: Proof, name: string): readonly string[] {
  if (!proven) return [];
  const within = `within ${countText(proven.days, 'day')}`;
  if (proven.files === 0 && proven.bytes === 0)
    return [`restore tests proved no file ${within}; to test now: holdfast test ${name}`];
  const [files, bytes] = [proven.files, proven.bytes].map(shareText);
  return [`restore tests proved ${files} of the files and ${bytes} of the bytes ${within}`];
}
