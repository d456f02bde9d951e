/** Declares `admin projects`, and `admin groups` for groups of their users. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { AddGroupOptions } from './groups.ts';
import type { Run } from '../../program.ts';
import type { AddProjectOptions } from './projects.ts';

export function declareProjectCommands(program: Command, run: Run): void {
  const projects = declare(program, {
    usage: 'projects',
    summary: 'say whose users share buckets',
    more: 'A project owns what its users make. PROJECT is a name, or NAME@CUSTOMER. Works without a daemon too.',
    examples: ['holdfast admin projects list', 'holdfast admin projects add photos'],
  }).helpCommand(false);
  declareProjectChanges(projects, run);

  const groups = declare(program, {
    usage: 'groups',
    summary: 'give full access to several users of a project together',
    more: 'GROUP is a name, or PROJECT:NAME@CUSTOMER. Works without a daemon too.',
    examples: [
      'holdfast admin groups add admins --full-access',
      'holdfast admin groups join admins ann',
    ],
  }).helpCommand(false);
  declareGroupChanges(groups, run);
  declareMembership(groups, run);
}

function declareProjectChanges(projects: Command, run: Run): void {
  declare(projects, {
    usage: 'list',
    summary: 'list the projects',
    examples: [
      'holdfast admin projects list',
      'holdfast admin projects list --json | jq -r .projects[].id',
    ],
  }).action(() => run(async (context) => (await import('./projects.ts')).listProjects(context)));

  declare(projects, {
    usage: 'add <project>',
    summary: 'make a project',
    more: 'Its first user should have full access.',
    examples: [
      'holdfast admin projects add photos --email photos@example.com',
      'holdfast admin projects add photos@acme    # of another customer',
    ],
  })
    .option('--email <address>', 'by which rights may be given to the project')
    .option('--again', 'take the name of a project that was removed, with the rights it was given')
    .action((project: string, options: AddProjectOptions) =>
      run(async (context) => (await import('./projects.ts')).addProject(context, project, options)),
    );

  declare(projects, {
    usage: 'remove <project>',
    summary: 'remove a project with its users, groups and keys',
    more: 'Not while buckets of its users are there.',
    examples: ['holdfast admin projects remove photos'],
    destroys: ([project]) => `remove project ${project} with its users, groups and keys`,
  }).action((project: string) =>
    run(async (context) => (await import('./projects.ts')).removeProject(context, project)),
  );

  declare(projects, {
    usage: 'set-email <project> [address]',
    summary:
      'set the e-mail by which rights may be given to a project; without ADDRESS, take it away',
    examples: ['holdfast admin projects set-email photos photos@example.com'],
  }).action((project: string, email: string | undefined) =>
    run(async (context) =>
      (await import('./projects.ts')).setProjectEmail(context, project, email),
    ),
  );
}

function declareGroupChanges(groups: Command, run: Run): void {
  declare(groups, {
    usage: 'list',
    summary: 'list the groups of all projects',
    examples: ['holdfast admin groups list'],
  }).action(() => run(async (context) => (await import('./groups.ts')).listGroups(context)));

  declare(groups, {
    usage: 'add <group>',
    summary: 'make a group',
    examples: [
      'holdfast admin groups add admins --full-access',
      'holdfast admin groups add photos:editors',
    ],
  })
    .option('--full-access', 'give full access to all users in it')
    .action((group: string, options: AddGroupOptions) =>
      run(async (context) => (await import('./groups.ts')).addGroup(context, group, options)),
    );

  declare(groups, {
    usage: 'remove <group>',
    summary: 'remove a group; its users stay',
    examples: ['holdfast admin groups remove admins'],
    destroys: ([group]) => `remove group ${group}`,
  }).action((group: string) =>
    run(async (context) => (await import('./groups.ts')).removeGroup(context, group)),
  );

  declare(groups, {
    usage: 'grant <group>',
    summary: 'give full access to all users in a group',
    examples: ['holdfast admin groups grant admins'],
  }).action((group: string) =>
    run(async (context) => (await import('./groups.ts')).grantGroup(context, group, true)),
  );

  declare(groups, {
    usage: 'revoke <group>',
    summary: 'take full access from a group',
    examples: ['holdfast admin groups revoke admins'],
  }).action((group: string) =>
    run(async (context) => (await import('./groups.ts')).grantGroup(context, group, false)),
  );
}

function declareMembership(groups: Command, run: Run): void {
  declare(groups, {
    usage: 'join <group> <name>',
    summary: 'put a user of the project into a group',
    examples: [
      'holdfast admin groups join admins ann',
      'holdfast admin groups join photos:admins ann',
    ],
  }).action((group: string, user: string) =>
    run(async (context) => (await import('./groups.ts')).setMember(context, group, user, true)),
  );

  declare(groups, {
    usage: 'leave <group> <name>',
    summary: 'take a user out of a group',
    examples: ['holdfast admin groups leave admins ann'],
  }).action((group: string, user: string) =>
    run(async (context) => (await import('./groups.ts')).setMember(context, group, user, false)),
  );
}
