/** Implements `holdfast admin users`, which manages the users of the embedded store and their access. */

import type { Result } from '../../../control/messages.ts';
import { callIdentity } from './call-identity.ts';
import type { Context } from '../../context.ts';
import { accessText, howToUse } from './keys.ts';
import { tableLines } from '../../output/output.ts';
import { parseUser } from '../../arguments/storage-id.ts';
import { timeText, visible } from '../../output/text.ts';

export interface AddUserOptions {
  readonly fullAccess?: boolean;
  readonly again?: boolean;
}

type User = Result<'users.grant'>;

export async function listUsers(context: Context): Promise<void> {
  const { users } = await callIdentity(context, 'users.list', {});
  if (context.json) return context.out.json({ users });
  const columns = ['USER', 'PROJECT', 'ACCESS', 'GROUPS', 'MADE', 'ID'].map((title) => ({ title }));
  const rows = users.map((user) => [
    visible(user.user),
    visible(user.project),
    accessText(user),
    visible(user.groups.join(', ')) || '-',
    timeText(user.createdAt),
    visible(user.id),
  ]);
  await context.out.lines(...tableLines(columns, rows));
}

export async function addUser(
  context: Context,
  typed: string,
  { fullAccess = false, again = false }: AddUserOptions,
): Promise<void> {
  const key = await callIdentity(context, 'users.add', { ...parseUser(typed), fullAccess, again });
  if (context.json) return context.out.json(key);
  await context.out.lines(
    `added user ${visible(key.user)} to project ${visible(key.project)}, access: ${accessText(key)}`,
    `made access key ${visible(key.accessKeyId)}`,
    howToUse(context, key),
  );
}

export async function removeUser(context: Context, typed: string): Promise<void> {
  await callIdentity(context, 'users.remove', parseUser(typed));
  if (context.json) return context.out.json({});
  await context.out.lines(`removed user ${visible(typed)}; all keys of it have ended`);
}

export async function grantUser(
  context: Context,
  typed: string,
  fullAccess: boolean,
): Promise<void> {
  const user = await callIdentity(context, 'users.grant', { ...parseUser(typed), fullAccess });
  if (context.json) return context.out.json(user);
  const still = user.fullAccess && !user.granted ? `, by group ${user.groups.join(', ')}` : '';
  await context.out.lines(`${visible(user.id)}, access: ${accessText(user)}${visible(still)}`);
}

export async function disableUser(
  context: Context,
  typed: string,
  disabled: boolean,
): Promise<void> {
  const user = await callIdentity(context, 'users.disable', { ...parseUser(typed), disabled });
  if (context.json) return context.out.json(user);
  await context.out.lines(disabledText(user));
}

function disabledText({ id, user, disabled }: User): string {
  return disabled
    ? `user ${visible(user)} is disabled: no key works until \`holdfast admin users enable ${visible(id)}\``
    : `user ${visible(user)} is enabled`;
}
