/** Declares `admin credentials` and `admin keys`, for the access keys of the embedded store. */

import type { Command } from 'commander';

import type { CredentialsOptions } from './credentials.ts';
import { declare } from '../../declare.ts';
import type { RotateKeyOptions } from './keys.ts';
import type { Run } from '../../program.ts';

export function declareKeyCommands(program: Command, run: Run): void {
  declare(program, {
    usage: 'credentials',
    summary: 'show what other tools need to reach the embedded store',
    more: 'As shell lines with --env, which are a settings file too: holdfast admin credentials --env > settings.',
    examples: [
      'holdfast admin credentials',
      'eval "$(holdfast admin credentials --env)" && aws s3 ls',
      "holdfast admin credentials --env --key 'holdfast:restic@local' > restic.env",
    ],
  })
    .option('--env', 'print export lines for a shell, the secret included')
    .option('--show-secret', 'show the secret access key too')
    .option('--key <id>', 'this key instead of your newest one')
    .action((options: CredentialsOptions) =>
      run(async (context) => (await import('./credentials.ts')).credentials(context, options)),
    );

  const keys = declare(program, {
    usage: 'keys',
    summary: 'list, add, rotate and remove the access keys of the embedded store',
    more: 'Works without a daemon too. No secret is shown: holdfast admin credentials tells it.',
    examples: [
      'holdfast admin keys list',
      'holdfast admin keys rotate              # the old key ends in 24 hours',
    ],
  }).helpCommand(false);
  declareListAndAdd(keys, run);
  declareRotateAndRemove(keys, run);
}

function declareListAndAdd(keys: Command, run: Run): void {
  declare(keys, {
    usage: 'list',
    summary: 'list the access keys that are live',
    examples: ['holdfast admin keys list', 'holdfast admin keys list --json | jq .keys[]'],
  }).action(() => run(async (context) => (await import('./keys.ts')).listKeys(context)));

  declare(keys, {
    usage: 'add [user]',
    summary: 'make a further access key, for you or for another user',
    more:
      'A user has one from the beginning (holdfast admin users add); two of a user may be live at a time. ' +
      'USER is a name, or PROJECT:NAME@CUSTOMER.',
    examples: [
      'holdfast admin keys add',
      'holdfast admin keys add ann',
      'holdfast admin keys add photos:ann@acme',
    ],
  }).action((user: string | undefined) =>
    run(async (context) => (await import('./keys.ts')).addKey(context, user)),
  );
}

function declareRotateAndRemove(keys: Command, run: Run): void {
  declare(keys, {
    usage: 'rotate [key]',
    summary: 'make a new access key in the place of an old one, which then ends',
    more: 'Without KEY: your newest one. A running daemon takes it over at once; jobs need no key.',
    examples: [
      'holdfast admin keys rotate                # both work for 24 hours',
      'holdfast admin keys rotate --grace 7d',
      "holdfast admin keys rotate 'holdfast:restic@local' --grace 0   # a secret that leaked",
    ],
    destroys: ([key], { grace }) =>
      /^0+[a-z]*$/.test(String(grace)) ? `end access key ${key ?? 'in use'} at once` : undefined,
  })
    .option('--grace <duration>', 'how long the old key goes on, such as 24h, 7d or 0', '24h')
    .action((key: string | undefined, options: RotateKeyOptions) =>
      run(async (context) => (await import('./keys.ts')).rotateKey(context, key, options)),
    );

  declare(keys, {
    usage: 'remove <key>',
    summary: 'end an access key at once',
    more: "The user's buckets and objects stay.",
    examples: ["holdfast admin keys remove 'holdfast:restic@local'"],
    destroys: ([key]) => `remove access key ${key}`,
  }).action((key: string) =>
    run(async (context) => (await import('./keys.ts')).removeKey(context, key)),
  );
}
