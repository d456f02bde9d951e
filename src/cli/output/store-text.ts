/** The embedded store in words: its health, what a check found, what a repair did. */

import type { Result } from '../../control/messages.ts';
import type { StoreHealth } from '../../control/store-shapes.ts';
import type { Paint } from './output.ts';
import { bytesText, countText, durationText, timeText, visible } from './text.ts';

type Check = Result<'store.check'>;
type Problem = Check['problems'][number];

/** Of the versions of one damaged blob; all that are known are in `--json`. */
const SHOWN_VERSIONS = 4;
const SHOWN_DAMAGE = 8;

/** Nothing while the store is in order: then there is nothing to say of it. */
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

export function clockWarning({ clockAheadMs }: StoreHealth): string[] {
  if (clockAheadMs === 0) return [];
  return [
    `the clock is ${durationText(clockAheadMs)} ahead of the time that this store has seen pass (it was set, or the ` +
      'machine was off): locks that would end by it stay, and nothing expires by it; if the date is right, run ' +
      '`holdfast admin store trust-clock`',
  ];
}

export function checkLines(check: Check, paint: Paint): string[] {
  const { versions, blobs, bytes, deep } = check;
  const looked = `${countText(versions, 'version')}, ${countText(blobs, 'blob')}, ${bytesText(bytes)}`;
  const read = deep ? 'every byte read' : 'bytes not read, see --deep';
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

/** Only the first of each code are listed. */
function moreLines({ problems, counts }: Check): string[] {
  return Object.entries(counts).flatMap(([code, count]) => {
    const rest = count - problems.filter((problem) => problem.code === code).length;
    return rest > 0 ? [`  ${code}: and ${rest} more`] : [];
  });
}

function leftoverLines({ leftovers: { temporaryFiles, garbage, orphans } }: Check): string[] {
  const files = temporaryFiles + garbage + orphans;
  if (files === 0) return [];
  return [`  ${countText(files, 'file')} left behind by a crash, which the next start clears away`];
}

/** What a repair would do, each thing once with how often. */
export function wouldLines({ problems, counts }: Check): string[] {
  const repairs = new Map(problems.map(({ code, repair }) => [code, repair]));
  return [...repairs].map(([code, repair]) => {
    const count = countText(counts[code] ?? 0, 'time');
    return repair === undefined
      ? `nothing can be done about ${code} (${count}): restore it from a backup of the store`
      : `would do for ${code} (${count}): ${repair}`;
  });
}

export function repairLines({ done, after }: Result<'store.repair'>, paint: Paint): string[] {
  const did = done.map(({ code, subject, did }) => `${code}: ${visible(subject)}: ${did}`);
  return [...(did.length === 0 ? ['nothing to repair'] : did), ...checkLines(after, paint)];
}
