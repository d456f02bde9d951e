/** Implements `holdfast admin groups`, which manages groups of users in a project. A group can have full access. */

import type { Result } from '../../../control/messages.ts';
import { callIdentity } from './call-identity.ts';
import type { Context } from '../../context.ts';
import { tableLines } from '../../output/output.ts';
import { parseGroup } from '../../arguments/storage-id.ts';
import { visible } from '../../output/text.ts';

export interface AddGroupOptions {
  readonly fullAccess?: boolean;
}

type Group = Result<'groups.add'>;

export async function listGroups(context: Context): Promise<void> {
  const { groups } = await callIdentity(context, 'groups.list', {});
  if (context.json) return context.out.json({ groups });
  if (groups.length === 0) return context.remark('no group: `holdfast admin groups add NAME`');
  const columns = ['GROUP', 'PROJECT', 'CUSTOMER', 'ACCESS', 'USERS'].map((title) => ({ title }));
  const rows = groups.map((group) => [
    visible(group.group),
    visible(group.project),
    group.customer,
    accessText(group),
    visible(group.users.join(', ')) || '-',
  ]);
  await context.out.lines(...tableLines(columns, rows));
}

export async function addGroup(
  context: Context,
  typed: string,
  { fullAccess = false }: AddGroupOptions,
): Promise<void> {
  await tell(context, callIdentity(context, 'groups.add', { ...parseGroup(typed), fullAccess }));
}

export async function removeGroup(context: Context, typed: string): Promise<void> {
  await callIdentity(context, 'groups.remove', parseGroup(typed));
  if (context.json) return context.out.json({});
  await context.out.lines(`removed group ${visible(typed)}; its users stay`);
}

export async function grantGroup(
  context: Context,
  typed: string,
  fullAccess: boolean,
): Promise<void> {
  await tell(context, callIdentity(context, 'groups.grant', { ...parseGroup(typed), fullAccess }));
}

export async function setMember(
  context: Context,
  typed: string,
  user: string,
  member: boolean,
): Promise<void> {
  const params = { ...parseGroup(typed), user, member };
  await tell(context, callIdentity(context, 'groups.setMember', params));
}

async function tell(context: Context, changed: Promise<Group>): Promise<void> {
  const group = await changed;
  if (context.json) return context.out.json(group);
  const users = group.users.length === 0 ? 'no user' : visible(group.users.join(', '));
  await context.out.lines(
    `group ${visible(group.group)} of project ${visible(group.project)}, access: ${accessText(group)}, in it: ${users}`,
  );
}

function accessText({ fullAccess }: Group): string {
  return fullAccess ? 'full' : 'objects';
}
