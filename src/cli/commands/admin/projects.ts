/** Implements `holdfast admin projects`, which manages projects. The users of a project share its buckets. */

import { defined } from '../../../base/defined.ts';
import { callIdentity } from './call-identity.ts';
import type { Context } from '../../context.ts';
import { tableLines } from '../../output/output.ts';
import { parseProject } from '../../arguments/storage-id.ts';
import { numberText, timeText, visible } from '../../output/text.ts';

export interface AddProjectOptions {
  readonly email?: string;
  readonly again?: boolean;
}

export async function listProjects(context: Context): Promise<void> {
  const { projects } = await callIdentity(context, 'projects.list', {});
  if (context.json) return context.out.json({ projects });
  const columns = [
    { title: 'PROJECT' },
    { title: 'USERS', align: 'right' as const },
    { title: 'MADE' },
    { title: 'E-MAIL' },
    { title: 'ID' },
  ];
  const rows = projects.map((project) => [
    visible(project.project),
    numberText(project.users),
    timeText(project.createdAt),
    visible(project.email ?? '-'),
    visible(project.id),
  ]);
  await context.out.lines(...tableLines(columns, rows));
}

export async function addProject(
  context: Context,
  typed: string,
  { email, again = false }: AddProjectOptions,
): Promise<void> {
  const params = { ...parseProject(typed), again, ...defined({ email }) };
  const project = await callIdentity(context, 'projects.add', params);
  if (context.json) return context.out.json(project);
  await context.out.lines(
    `added project ${visible(project.id)}`,
    `its first user:  holdfast admin users add ${visible(project.project)}:NAME@${project.customer} --full-access`,
  );
}

export async function removeProject(context: Context, typed: string): Promise<void> {
  await callIdentity(context, 'projects.remove', parseProject(typed));
  if (context.json) return context.out.json({});
  await context.out.lines(`removed project ${visible(typed)}; all keys of its users have ended`);
}

export async function setProjectEmail(
  context: Context,
  typed: string,
  email: string | undefined,
): Promise<void> {
  const params = { ...parseProject(typed), ...defined({ email }) };
  const project = await callIdentity(context, 'projects.setEmail', params);
  if (context.json) return context.out.json(project);
  await context.out.lines(`${visible(project.id)}, e-mail: ${visible(project.email ?? 'none')}`);
}
