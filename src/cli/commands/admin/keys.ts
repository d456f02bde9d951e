/** Implements `holdfast admin keys`, which lists, adds, rotates and removes access keys of the embedded store. */

import { defined } from '../../../base/defined.ts';
import { MAX_GRACE_MS } from '../../../control/methods/keys.ts';
import type { Result } from '../../../control/messages.ts';
import { callIdentity } from './call-identity.ts';
import type { Context } from '../../context.ts';
import { tableLines } from '../../output/output.ts';
import { parseUser } from '../../arguments/storage-id.ts';
import { shellWord, timeText, visible } from '../../output/text.ts';
import { parseDuration } from '../../arguments/when.ts';

export interface RotateKeyOptions {
  readonly grace: string;
}

type Key = Result<'keys.add'>;

export async function listKeys(context: Context): Promise<void> {
  const { keys } = await callIdentity(context, 'keys.list', {});
  if (context.json) return context.out.json({ keys });
  if (keys.length === 0) return context.remark('no access key: `holdfast admin keys add`');
  const columns = ['USER', 'PROJECT', 'ACCESS', 'MADE', 'ENDS', 'KEY'].map((title) => ({ title }));
  const rows = keys.map((key) => [
    visible(key.user),
    visible(key.project),
    accessText(key),
    timeText(key.createdAt),
    key.expiresAt === undefined ? 'when removed' : timeText(key.expiresAt),
    visible(key.accessKeyId),
  ]);
  await context.out.lines(...tableLines(columns, rows));
}

export async function addKey(context: Context, user: string | undefined): Promise<void> {
  const named = user === undefined ? {} : parseUser(user);
  const key = await callIdentity(context, 'keys.add', named);
  if (context.json) return context.out.json(key);
  await context.out.lines(`made access key ${visible(key.accessKeyId)}`, howToUse(context, key));
}

export async function rotateKey(
  context: Context,
  accessKeyId: string | undefined,
  { grace }: RotateKeyOptions,
): Promise<void> {
  const graceMs = parseDuration(grace, MAX_GRACE_MS);
  const rotated = await callIdentity(context, 'keys.rotate', {
    graceMs,
    ...defined({ accessKeyId }),
  });
  if (context.json) return context.out.json(rotated);
  const { key, old } = rotated;
  const end = graceMs === 0 ? 'has ended' : `goes on until ${timeText(old.expiresAt ?? 0)}`;
  await context.out.lines(
    `made access key ${visible(key.accessKeyId)}`,
    `the old one, ${visible(old.accessKeyId)}, ${end}`,
    howToUse(context, key),
  );
}

export async function removeKey(context: Context, accessKeyId: string): Promise<void> {
  await callIdentity(context, 'keys.remove', { accessKeyId });
  if (context.json) return context.out.json({});
  await context.out.lines(`removed access key ${visible(accessKeyId)}`);
}

/** Returns a line with the command that sets the environment variables for the key, including its secret. */
export function howToUse(context: Context, { accessKeyId }: Pick<Key, 'accessKeyId'>): string {
  const which = `--key ${shellWord(accessKeyId)}${context.homeOption}`;
  return `for a shell:  eval "$(holdfast admin credentials --env ${which})"`;
}

/** Returns the access of a user in one word. */
export function accessText({ disabled, fullAccess }: Pick<Key, 'disabled' | 'fullAccess'>): string {
  if (disabled) return 'disabled';
  return fullAccess ? 'full' : 'objects';
}
