/** Formats lifecycle rules as text, and determines which rules a form can edit. */

import type { Result } from '../../../src/control/messages.ts';
import { bytesText, countText } from '../../../src/text/amounts.ts';
import { utcDayText } from '../../../src/text/time.ts';

export type Rule = Result<'lifecycle.get'>['rules'][number];
export type Change = Result<'lifecycle.preview'>['changes'][number];

/**
 * Returns why a form cannot edit the rule, or undefined if it can. Other rules are edited only through the API
 * (specification, "Lifecycle rule").
 */
export function whyNotEdited({ filter, expiration, ...rule }: Rule): string | undefined {
  const { tags = [], sizeGreaterThan, sizeLessThan } = filter;
  const isPlainScope =
    tags.length === 0 && sizeGreaterThan === undefined && sizeLessThan === undefined;
  const isPlainEnd = expiration === undefined || 'days' in expiration;
  const isPlainRest =
    rule.noncurrentExpiration?.keepNewest === undefined && rule.abortUploadsAfterDays === undefined;
  if (isPlainScope && isPlainEnd && isPlainRest) return undefined;
  return 'the rule has extended parameters: edit it by the API or `holdfast s3 lifecycle`';
}

export function scopeText({ filter }: Rule): string {
  const { prefix = '', tags = [], sizeGreaterThan, sizeLessThan } = filter;
  return [
    prefix === '' ? 'the whole bucket' : prefix,
    ...tags.map(({ key, value }) => `tagged ${key}=${value}`),
    ...(sizeGreaterThan === undefined ? [] : [`over ${bytesText(sizeGreaterThan)}`]),
    ...(sizeLessThan === undefined ? [] : [`under ${bytesText(sizeLessThan)}`]),
  ].join(', ');
}

export function latestText({ expiration }: Rule): string {
  if (expiration === undefined) return '';
  if ('days' in expiration) return countText(expiration.days, 'day');
  if ('date' in expiration) return `from ${utcDayText(expiration.date)}`;
  return 'lone markers';
}

export function previousText({ noncurrentExpiration: previous }: Rule): string {
  if (previous === undefined) return '';
  const kept = previous.keepNewest === undefined ? '' : ` but ${previous.keepNewest}`;
  return `${countText(previous.days, 'day')}${kept}`;
}

export function uploadsText({ abortUploadsAfterDays: days }: Rule): string {
  return days === undefined ? '' : countText(days, 'day');
}

export const CHANGE_TEXTS: Readonly<Record<Change['action'], string>> = {
  mark: 'expires',
  remove: 'removed',
  'remove-marker': 'marker is removed',
  'abort-upload': 'upload is aborted',
};
