/** Implements the control methods for projects. */

import { defined } from '../../../src/base/defined.ts';
import { principalId, projectId, type ProjectNames } from '../../../src/base/principal.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { ListedProject } from '../../../src/identity/project-admin.ts';
import type { Handlers, People } from './people.ts';
import { checkOwnsNothing } from './users.ts';

export type ProjectMethod =
  | 'projects.list'
  | 'projects.add'
  | 'projects.remove'
  | 'projects.setEmail';

export function projectHandlers(people: People): Handlers<ProjectMethod> {
  const { identity, named } = people;
  const { projects } = identity;
  const resultOf = (project: ProjectNames) => projectResult(projects.getProject(project));
  return {
    'projects.list': async () => ({
      projects: projects.listProjects().map(projectResult),
    }),
    'projects.add': async ({ email, again, ...params }) => {
      const project = named(params);
      projects.addProject({
        ...namesOf(project),
        again,
        ...defined({ email }),
      });
      return resultOf(project);
    },
    'projects.remove': async (params) => {
      const project = named(params);
      projects.getProject(project);
      await checkUnused(people, project);
      projects.removeProject(project);
      return {};
    },
    'projects.setEmail': async ({ email, ...params }) => {
      const project = named(params);
      projects.setEmail(project, email);
      return resultOf(project);
    },
  };
}

function projectResult(project: ListedProject): Result<'projects.add'> {
  return { ...project, id: projectId(project) };
}

function namesOf({ project, customer }: ProjectNames): ProjectNames {
  return { project, customer };
}

async function checkUnused(
  { identity, own, bucketsOf }: People,
  project: ProjectNames,
): Promise<void> {
  const id = projectId(project);
  if (id === projectId(own)) {
    throw new ControlError('Conflict', `cannot remove project ${id}: jobs of this daemon use it`);
  }
  for (const user of identity.users.listUsers()) {
    if (projectId(user) !== id) continue;
    checkOwnsNothing(
      await bucketsOf(user),
      `cannot remove project ${id} with user ${principalId(user)}`,
    );
  }
}
