/** Declares `admin whoami` and `admin users`, for the users of the embedded store. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';
import type { AddUserOptions } from './users.ts';
import type { WhoamiOptions } from './whoami.ts';

export function declareUserCommands(program: Command, run: Run): void {
  declare(program, {
    usage: 'whoami [user]',
    summary: 'show your ids: project, storage user, e-mail, customer, and what they may do',
    more: 'What others need to give you rights. With USER: of another user. Works without a daemon too.',
    examples: [
      'holdfast admin whoami',
      'holdfast admin whoami photos:ann --json | jq -r .id',
      'holdfast admin whoami --target offsite',
    ],
  })
    .option('--target <name>', 'at a remote service: as far as it tells; needs the daemon')
    .action((user: string | undefined, options: WhoamiOptions) =>
      run(async (context) => (await import('./whoami.ts')).whoami(context, user, options)),
    );

  const users = declare(program, {
    usage: 'users',
    summary: 'say who may use the embedded store',
    more:
      'The users of one project use the same buckets. USER is a name, or PROJECT:NAME@CUSTOMER. ' +
      'Works without a daemon too; a running one heeds a change at once.',
    examples: [
      'holdfast admin users list',
      'holdfast admin users add ann',
      'holdfast admin users remove ann',
    ],
  }).helpCommand(false);
  declareListAndAdd(users, run);
  declareRemove(users, run);
  declareGrants(users, run);
  declareDisable(users, run);
}

function declareListAndAdd(users: Command, run: Run): void {
  declare(users, {
    usage: 'list',
    summary: 'list the users of all projects',
    examples: ['holdfast admin users list', 'holdfast admin users list --json | jq -r .users[].id'],
  }).action(() => run(async (context) => (await import('./users.ts')).listUsers(context)));

  declare(users, {
    usage: 'add <user>',
    summary: 'add a user to a project, with an access key',
    more:
      'The project has to be there: holdfast admin projects add. Full access is what legal holds, shorter retention and ' +
      'the bypass of GOVERNANCE retention ask for; a group can give it too.',
    examples: [
      'holdfast admin users add restic && holdfast admin credentials --env --key holdfast:restic@local',
      'holdfast admin users add photos:ann --full-access',
      'holdfast admin users add photos:ann@acme',
    ],
  })
    .option('--full-access', 'let the user set legal holds and bypass GOVERNANCE retention')
    .option('--again', 'take the name of a user that was removed, with the rights it was given')
    .action((user: string, options: AddUserOptions) =>
      run(async (context) => (await import('./users.ts')).addUser(context, user, options)),
    );
}

function declareRemove(users: Command, run: Run): void {
  declare(users, {
    usage: 'remove <user>',
    summary: 'remove a user from a project; all keys of it end at once',
    more:
      'Not while buckets of that user are there, nor the last one with full access. Objects stay. ' +
      'The name is not given to another: rights that name it may still stand.',
    examples: ['holdfast admin users remove ann', 'holdfast admin users remove photos:ann@acme'],
    destroys: ([user]) => `remove user ${user} with all keys`,
  }).action((user: string) =>
    run(async (context) => (await import('./users.ts')).removeUser(context, user)),
  );
}

function declareGrants(users: Command, run: Run): void {
  declare(users, {
    usage: 'grant <user>',
    summary: 'give a user full access to the buckets of the project',
    examples: ['holdfast admin users grant ann'],
  }).action((user: string) =>
    run(async (context) => (await import('./users.ts')).grantUser(context, user, true)),
  );

  declare(users, {
    usage: 'revoke <user>',
    summary: 'take full access from a user; what a group gives stays',
    examples: ['holdfast admin users revoke ann'],
  }).action((user: string) =>
    run(async (context) => (await import('./users.ts')).grantUser(context, user, false)),
  );
}

function declareDisable(users: Command, run: Run): void {
  declare(users, {
    usage: 'disable <user>',
    summary: 'let no key of a user work until it is enabled again',
    more: 'In all projects of the customer.',
    examples: ['holdfast admin users disable ann'],
  }).action((user: string) =>
    run(async (context) => (await import('./users.ts')).disableUser(context, user, true)),
  );

  declare(users, {
    usage: 'enable <user>',
    summary: 'let the keys of a disabled user work again',
    examples: ['holdfast admin users enable ann'],
  }).action((user: string) =>
    run(async (context) => (await import('./users.ts')).disableUser(context, user, false)),
  );
}
