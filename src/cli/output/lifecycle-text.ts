/** Formats lifecycle rules, the changes that they would make, and the results of lifecycle runs as text. */

import type { Result } from '../../control/messages.ts';
import type { Paint } from './output.ts';
import { visible } from './text.ts';
import { bytesText, countText } from '../../text/amounts.ts';
import { durationText, timeText, utcDayText } from '../../text/time.ts';

type Rule = Result<'lifecycle.get'>['rules'][number];
export type LifecycleRun = Result<'lifecycle.run'>['run'];
export type LifecycleChange = Result<'lifecycle.preview'>['changes'][number];

/** Returns the ID of a rule, followed by lines for its filter and its actions. */
export function ruleLines(rule: Rule, paint: Paint): string[] {
  const off = rule.enabled ? '' : `  ${paint('attention', 'off')}`;
  const lines = [scopeText(rule.filter), ...actionTexts(rule)];
  return [`${visible(rule.id ?? '')}${off}`, ...lines.map((line) => `  ${line}`)];
}

function scopeText({ prefix = '', tags = [], sizeGreaterThan, sizeLessThan }: Rule['filter']) {
  const parts = [
    prefix === '' ? 'the whole bucket' : `objects that begin with ${visible(prefix)}`,
    ...tags.map(({ key, value }) => `tagged ${visible(key)}=${visible(value)}`),
    ...(sizeGreaterThan === undefined ? [] : [`of more than ${bytesText(sizeGreaterThan)}`]),
    ...(sizeLessThan === undefined ? [] : [`of less than ${bytesText(sizeLessThan)}`]),
  ];
  return parts.join(', ');
}

function actionTexts(rule: Rule): string[] {
  const { expiration, noncurrentExpiration: previous, abortUploadsAfterDays: aborts } = rule;
  const kept = previous?.keepNewest;
  return [
    ...(expiration === undefined ? [] : [expirationText(expiration)]),
    ...(previous === undefined
      ? []
      : [
          `previous versions expire ${countText(previous.days, 'day')} after they became noncurrent` +
            (kept === undefined ? '' : `, except the newest ${kept}`),
        ]),
    ...(aborts === undefined
      ? []
      : [`incomplete multipart uploads are aborted after ${countText(aborts, 'day')}`]),
  ];
}

function expirationText(expiration: NonNullable<Rule['expiration']>): string {
  if ('days' in expiration) return `objects expire after ${countText(expiration.days, 'day')}`;
  if ('date' in expiration) return `objects expire from ${utcDayText(expiration.date)} (UTC) on`;
  return 'delete markers are removed when no version is left below them';
}

const ACTIONS: Readonly<Record<LifecycleChange['action'], string>> = {
  mark: 'expires',
  remove: 'removed',
  'remove-marker': 'marker removed',
  'abort-upload': 'upload aborted',
};

const ACTION_WIDTH = Math.max(
  ...Object.values(ACTIONS).map((text) => text.length),
  'locked'.length,
);

/**
 * Formats a change as one line, such as `removed           1.2 MB  3f…  logs/a  rule old`. The action of a locked
 * version is shown as `locked`.
 */
export function changeLine(change: LifecycleChange, paint: Paint): string {
  const { bucket, key, versionId, ruleId, sizeBytes, locked, action } = change;
  const what = (locked ? 'locked' : ACTIONS[action]).padEnd(ACTION_WIDTH);
  const painted = locked ? paint('attention', what) : what;
  const parts = [bytesText(sizeBytes).padStart(8), versionId, `${bucket}/${visible(key)}`];
  return [painted, ...parts, `rule ${visible(ruleId)}`].join('  ');
}

/**
 * Returns the result of a run: what it removed, the number of freed bytes, and the numbers of scanned and locked
 * versions.
 */
export function runText(run: LifecycleRun): string {
  const { looked, expired, removedVersions, removedMarkers, abortedUploads, bytes } = run;
  const done = [
    [expired, 'expired'],
    [removedVersions, removedVersions === 1 ? 'version removed' : 'versions removed'],
    [removedMarkers, removedMarkers === 1 ? 'delete marker removed' : 'delete markers removed'],
    [abortedUploads, abortedUploads === 1 ? 'upload aborted' : 'uploads aborted'],
  ] as const;
  const some = done.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const freed = bytes > 0 ? `, ${bytesText(bytes)}` : '';
  const held = run.held > 0 ? `; ${countText(run.held, 'version')} locked; will retry` : '';
  const what = some.length === 0 ? 'nothing to do' : some.join(', ');
  return `${what}${freed} (${countText(looked, 'version')} checked)${held}`;
}

/** Returns the start time, the cause and the result of a run as a single line. */
export function runLine(run: LifecycleRun, paint: Paint): string {
  const state = run.finishedAt === undefined ? `  ${paint('attention', 'running')}` : '';
  return `${timeText(run.startedAt)}  ${run.cause.padEnd('daily'.length)}  ${runText(run)}${state}`;
}

/** Returns a warning if lifecycle runs do not trust the system clock because it is ahead. Otherwise returns no line. */
export function aheadLines(clockAheadMs: number, paint: Paint): string[] {
  if (clockAheadMs === 0) return [];
  return [
    `${paint('attention', '!')} the clock is ${durationText(clockAheadMs)} ahead of the trusted time, which lifecycle rules use; ` +
      'if the date is correct, run `holdfast admin store trust-clock`',
  ];
}
