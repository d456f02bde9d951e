/** `holdfast credentials list|add|rotate|remove`: through the daemon, or on the home's own file when none runs. */

import { defined } from '../base/defined.ts';
import { MAX_GRACE_MS } from '../control/messages.ts';
import type { Params, Result } from '../control/messages.ts';
import type { Context } from './context.ts';
import { tableLines } from './output.ts';
import { shellWord, timeText, visible } from './text.ts';
import { parseDuration } from './when.ts';

export interface AddKeyOptions {
  readonly user?: string;
  readonly project?: string;
  readonly fullAccess?: boolean;
}

export interface RotateKeyOptions {
  readonly grace: string;
}

type Key = Result<'credentials.add'>;

export async function listKeys(context: Context): Promise<void> {
  const { keys } = await callKeys(context, 'credentials.list', {});
  if (context.json) return context.out.json({ keys });
  if (keys.length === 0) return context.out.lines('no access key: `holdfast credentials add`');
  const columns = ['USER', 'PROJECT', 'ACCESS', 'MADE', 'ENDS', 'KEY'].map((title) => ({ title }));
  const rows = keys.map((key) => [
    visible(key.user),
    visible(key.project),
    key.fullAccess ? 'full' : 'objects',
    timeText(key.createdAt),
    key.expiresAt === undefined ? 'when removed' : timeText(key.expiresAt),
    visible(key.accessKeyId),
  ]);
  await context.out.lines(...tableLines(columns, rows));
}

export async function addKey(context: Context, options: AddKeyOptions): Promise<void> {
  const { fullAccess = false, user, project } = options;
  const key = await callKeys(context, 'credentials.add', {
    fullAccess,
    ...defined({ user, project }),
  });
  if (context.json) return context.out.json(key);
  await context.out.lines(`made access key ${visible(key.accessKeyId)}`, ...howToUse(context, key));
}

export async function rotateKey(
  context: Context,
  accessKeyId: string | undefined,
  { grace }: RotateKeyOptions,
): Promise<void> {
  const graceMs = parseDuration(grace, MAX_GRACE_MS);
  const rotated = await callKeys(context, 'credentials.rotate', {
    graceMs,
    ...defined({ accessKeyId }),
  });
  if (context.json) return context.out.json(rotated);
  const { key, old } = rotated;
  const end = graceMs === 0 ? 'has ended' : `goes on until ${timeText(old.expiresAt ?? 0)}`;
  await context.out.lines(
    `made access key ${visible(key.accessKeyId)}`,
    `the old one, ${visible(old.accessKeyId)}, ${end}`,
    ...howToUse(context, key),
  );
}

export async function removeKey(context: Context, accessKeyId: string): Promise<void> {
  await callKeys(context, 'credentials.remove', { accessKeyId });
  if (context.json) return context.out.json({});
  await context.out.lines(`removed access key ${visible(accessKeyId)}`);
}

function howToUse(context: Context, { accessKeyId }: Key): string[] {
  const which = `--key ${shellWord(accessKeyId)}${context.homeOption}`;
  return [`for a shell:  eval "$(holdfast credentials --env ${which})"`];
}

type KeyMethod = `credentials.${'add' | 'list' | 'remove' | 'rotate'}`;

async function callKeys<M extends KeyMethod>(
  context: Context,
  method: M,
  params: Params<M>,
): Promise<Result<M>> {
  const daemon = await context.connectIfRunning();
  if (daemon) return daemon.call(method, params).finally(() => daemon.close());
  const { withOfflineKeys } = await import('../../daemon/offline-credentials.ts');
  const place = { home: await context.home(), clock: context.io.clock };
  return withOfflineKeys(place, (handlers) => handlers[method](params));
}
