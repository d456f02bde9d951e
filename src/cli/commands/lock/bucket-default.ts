/**
 * Implements `holdfast lock default set` for the default retention of new versions in a bucket, and formats the result
 * of `get`.
 */

import type { Result } from '../../../control/messages.ts';
import { choice } from '../../arguments/choices.ts';
import { usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { permanent } from '../../output/confirm.ts';
import { parseBucket } from '../../arguments/thing.ts';
import { visible } from '../../output/text.ts';
import { countText } from '../../../text/amounts.ts';
import type { Answers } from '../../simple-call.ts';

export interface SetLockOptions {
  readonly mode: string;
  readonly days?: number;
  readonly years?: number;
}

export const DEFAULT_LOCK_ANSWERS: Answers = {
  'locks.get': (answer, { params: { bucket } }) => [
    `${visible(bucket)}: object lock on, ${defaultText(answer)}`,
  ],
};

/**
 * Returns a text for the confirmation: the effect that the user cannot undo. Returns undefined for the mode GOVERNANCE.
 * Throws a usage error for invalid options.
 */
export function setForGood(typed: string, options: Partial<SetLockOptions>): string | undefined {
  const bucket = parseBucket(typed);
  const retention = retentionOf(options);
  if (retention.mode !== 'COMPLIANCE') return undefined;
  const what = `every new version in bucket ${bucket}`;
  return permanent(`lock ${what} in COMPLIANCE mode for ${periodText(retention)}`);
}

export async function setLock(
  context: Context,
  typed: string,
  options: SetLockOptions,
): Promise<void> {
  const bucket = parseBucket(typed);
  const defaultRetention = retentionOf(options);
  await context.withDaemon((daemon) => daemon.call('locks.set', { bucket, defaultRetention }));
  if (context.json) return context.out.json({});
  const said = defaultText({ defaultRetention });
  await context.out.lines(`${visible(bucket)}: ${said}, for versions that are written from now on`);
}

type DefaultRetention = NonNullable<Result<'locks.get'>['defaultRetention']>;

function retentionOf({ mode: word = '', days, years }: Partial<SetLockOptions>): DefaultRetention {
  const mode = choice('--mode', word, ['GOVERNANCE', 'COMPLIANCE'] as const);
  if ((days === undefined) === (years === undefined)) {
    throw usageError(
      'cannot set the default retention: its length is not clear',
      'give either --days 30 or --years 7',
    );
  }
  return days === undefined ? { mode, years } : { mode, days };
}

function defaultText({ defaultRetention }: Result<'locks.get'>): string {
  if (defaultRetention === undefined) return 'no default retention';
  return `${defaultRetention.mode} for ${periodText(defaultRetention)} by default`;
}

function periodText({ days, years = 0 }: DefaultRetention): string {
  return days === undefined ? countText(years, 'year') : countText(days, 'day');
}
