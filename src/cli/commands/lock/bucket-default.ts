/** Implements `holdfast lock default set` for the default retention of new versions in a bucket, and formats the answer of `get`. */

import type { Result } from '../../../control/messages.ts';
import { choice } from '../../arguments/choices.ts';
import { usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { parseBucket } from '../../arguments/thing.ts';
import { countText, visible } from '../../output/text.ts';
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

export async function setLock(
  context: Context,
  typed: string,
  { mode: word, days, years }: SetLockOptions,
): Promise<void> {
  const bucket = parseBucket(typed);
  const mode = choice('--mode', word, ['GOVERNANCE', 'COMPLIANCE'] as const);
  if ((days === undefined) === (years === undefined)) {
    throw usageError('lock default set: for how long?', 'give --days 30 or --years 7, one of them');
  }
  const defaultRetention = days === undefined ? { mode, years } : { mode, days };
  await context.withDaemon((daemon) => daemon.call('locks.set', { bucket, defaultRetention }));
  if (context.json) return context.out.json({});
  const said = defaultText({ defaultRetention });
  await context.out.lines(`${visible(bucket)}: ${said}, for what is written from now on`);
}

function defaultText({ defaultRetention }: Result<'locks.get'>): string {
  if (defaultRetention === undefined) return 'no default retention';
  const { mode, days, years } = defaultRetention;
  const period = days === undefined ? countText(years ?? 0, 'year') : countText(days, 'day');
  return `${mode} for ${period} by default`;
}
