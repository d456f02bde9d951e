/** Formats the health of the embedded store, and the results of its check and repair, as text. */

import type { Result } from '../../control/messages.ts';
import type { StoreHealth } from '../../control/store-shapes.ts';
import type { Paint } from './output.ts';
import { visible } from './text.ts';
import { bytesText, countText } from '../../text/amounts.ts';
import { durationText, timeText } from '../../text/time.ts';

type Check = Result<'store.check'>;
type Problem = Check['problems'][number];

/**
 * The maximum number of versions listed for a damaged blob. `--json` contains all versions that the daemon returned.
 */
const SHOWN_VERSIONS = 4;
const SHOWN_DAMAGE = 8;

/** Returns the lines about the store in `holdfast status`. Returns no lines if the store is in order. */
export function storeLines(store: StoreHealth, paint: Paint): string[] {
  if (store.state === 'in order') return [];
  const state = store.state === 'degraded' ? 'DEGRADED' : 'READ-ONLY';
  const shown = store.damaged.slice(0, SHOWN_DAMAGE);
  const rest = store.damagedCount - shown.length;
  return [
    '',
    paint('bad', `store ${state}`),
    ...store.reasons.map((reason) => `  ${paint('attention', '!')} ${visible(reason)}`),
    ...shown.flatMap(damageLines),
    ...(rest > 0 ? [`  and ${rest} more: holdfast admin store check`] : []),
  ];
}

function damageLines({ reason, foundAt, versions }: StoreHealth['damaged'][number]): string[] {
  return [`  since ${timeText(foundAt)}: ${visible(reason)}`, ...versionLines(versions)];
}

/** Returns a warning if the store does not trust the system clock because it is ahead. Otherwise returns no line. */
export function clockWarning({ clockAheadMs }: StoreHealth): string[] {
  if (clockAheadMs === 0) return [];
  return [
    `the clock is ${durationText(clockAheadMs)} ahead of the trusted time of this store (it was changed, or the ` +
      'machine was off); locks end and objects expire by the trusted time; if the date is correct, run ' +
      '`holdfast admin store trust-clock`',
  ];
}

export function checkLines(check: Check, paint: Paint): string[] {
  const { versions, blobs, bytes, deep } = check;
  const looked = `${countText(versions, 'version')}, ${countText(blobs, 'blob')}, ${bytesText(bytes)}`;
  const read = deep ? 'all content read' : 'content not read, see --deep';
  const total = problemCount(check);
  const verdict =
    total === 0 ? paint('good', 'in order') : paint('bad', countText(total, 'problem'));
  return [
    `store: ${verdict} (${looked}; ${read})`,
    ...check.problems.flatMap(problemLines),
    ...moreLines(check),
    ...leftoverLines(check),
  ];
}

/** Returns the number of all problems, including those that the check does not list. */
export function problemCount({ counts }: Check): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function problemLines({ code, subject, message, versions = [] }: Problem): string[] {
  return [`  ${code}: ${visible(subject)}: ${visible(message)}`, ...versionLines(versions)];
}

function versionLines(versions: NonNullable<Problem['versions']>): string[] {
  const shown = versions
    .slice(0, SHOWN_VERSIONS)
    .map(({ bucket, key, versionId }) => `    ${bucket}/${visible(key)}  version ${versionId}`);
  const rest = versions.length - shown.length;
  return rest > 0 ? [...shown, `    and ${rest} more`] : shown;
}

/**
 * Returns, for each code, the number of problems that are not listed. The check lists only the first problems of each
 * code.
 */
function moreLines({ problems, counts }: Check): string[] {
  return Object.entries(counts).flatMap(([code, count]) => {
    const rest = count - problems.filter((problem) => problem.code === code).length;
    return rest > 0 ? [`  ${code}: and ${rest} more`] : [];
  });
}

function leftoverLines({ leftovers: { temporaryFiles, garbage, orphans } }: Check): string[] {
  const files = temporaryFiles + garbage + orphans;
  if (files === 0) return [];
  return [`  ${countText(files, 'file')} left by a crash, which the next start deletes`];
}

/** Returns a line for each code that says what a repair would do and how many times. */
export function wouldLines({ problems, counts }: Check): string[] {
  const repairs = new Map(problems.map(({ code, repair }) => [code, repair]));
  return [...repairs].map(([code, repair]) => {
    const count = countText(counts[code] ?? 0, 'time');
    return repair === undefined
      ? `cannot repair ${code} (${count}): restore it from a backup of the store`
      : `would repair ${code} (${count}): ${repair}`;
  });
}

export function repairLines({ done, after }: Result<'store.repair'>, paint: Paint): string[] {
  const did = done.map(({ code, subject, did }) => `${code}: ${visible(subject)}: ${did}`);
  return [...(did.length === 0 ? ['nothing to repair'] : did), ...checkLines(after, paint)];
}
