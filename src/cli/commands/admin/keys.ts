/**
 * Formats the results of `holdfast admin keys`. The command manages the access keys of the embedded store.
 */

import type { Result } from '../../../control/messages.ts';
import type { Context } from '../../context.ts';
import { tableLines } from '../../output/output.ts';
import { shellWord, visible } from '../../output/text.ts';
import { timeText } from '../../../text/time.ts';
import type { Answers } from '../../simple-call.ts';

type Key = Result<'keys.add'>;

export const KEY_ANSWERS: Answers = {
  'keys.list': ({ keys }) => {
    const columns = ['USER', 'PROJECT', 'ACCESS', 'CREATED', 'EXPIRES', 'KEY'];
    const rows = keys.map((key) => [
      visible(key.user),
      visible(key.project),
      accessText(key),
      timeText(key.createdAt),
      key.expiresAt === undefined ? 'never' : timeText(key.expiresAt),
      visible(key.accessKeyId),
    ]);
    return tableLines(
      columns.map((title) => ({ title })),
      rows,
    );
  },
  'keys.add': (key, { context }) => [
    `created access key ${visible(key.accessKeyId)}`,
    howToUse(context, key),
  ],
  'keys.rotate': ({ key, old }, { context, params }) => {
    const end =
      params.graceMs === 0
        ? 'is no longer valid'
        : `remains valid until ${timeText(old.expiresAt ?? 0)}`;
    return [
      `created access key ${visible(key.accessKeyId)}`,
      `the old key ${visible(old.accessKeyId)} ${end}`,
      howToUse(context, key),
    ];
  },
};

/** Returns a line with the command that sets the environment variables for the key, including its secret. */
export function howToUse(context: Context, { accessKeyId }: Pick<Key, 'accessKeyId'>): string {
  const which = `--key ${shellWord(accessKeyId)}${context.homeOption}`;
  return `for a shell:  eval "$(holdfast admin credentials --env ${which})"`;
}

/** Returns the access of a user as a single word. */
export function accessText({ disabled, fullAccess }: Pick<Key, 'disabled' | 'fullAccess'>): string {
  if (disabled) return 'disabled';
  return fullAccess ? 'full' : 'objects';
}
