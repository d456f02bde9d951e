/** The commands about access keys of the embedded store. */

import type { Command } from 'commander';

import type { CredentialsOptions } from './credentials.ts';
import { declare } from './declare.ts';
import type { AddKeyOptions, RotateKeyOptions } from './keys.ts';
import type { Run } from './program.ts';

export function declareCredentialCommands(program: Command, run: Run): void {
  const credentials = declare(program, {
    usage: 'credentials',
    summary: 'show what other tools need to reach the embedded store; manage its access keys',
    examples: [
      'holdfast credentials',
      'eval "$(holdfast credentials --env)" && aws s3 ls',
      'holdfast credentials rotate              # the old key ends in 24 hours',
    ],
  })
    .helpCommand(false)
    .option('--env', 'print export lines for a shell, the secret included')
    .option('--show-secret', 'show the secret access key too')
    .option('--key <id>', 'this key instead of your newest one')
    .action((options: CredentialsOptions) =>
      run(async (context) => (await import('./credentials.ts')).credentials(context, options)),
    );
  declareListAndAdd(credentials, run);
  declareRotateAndRemove(credentials, run);
}

function declareListAndAdd(credentials: Command, run: Run): void {
  declare(credentials, {
    usage: 'list',
    summary: 'list the access keys that are live',
    more: 'Works without a daemon too. No secret is shown.',
    examples: ['holdfast credentials list', 'holdfast credentials list --json | jq .keys[]'],
  }).action(() => run(async (context) => (await import('./keys.ts')).listKeys(context)));

  declare(credentials, {
    usage: 'add',
    summary: 'make a further access key, for you or for another user',
    more:
      'Users of one project use the same buckets; legal holds and the bypass of retention need full access. ' +
      'Two keys of a user may be live at a time.',
    examples: [
      'holdfast credentials add',
      "holdfast credentials add --user restic && holdfast credentials --key 'holdfast:restic@local' --env",
      'holdfast credentials add --user ann --project photos --full-access',
    ],
  })
    .option('--user <name>', 'a user of the store; made if there is none of that name')
    .option('--project <name>', 'whose buckets it is about; holdfast if not given')
    .option('--full-access', 'let the user set legal holds and bypass GOVERNANCE retention')
    .action((options: AddKeyOptions) =>
      run(async (context) => (await import('./keys.ts')).addKey(context, options)),
    );
}

function declareRotateAndRemove(credentials: Command, run: Run): void {
  declare(credentials, {
    usage: 'rotate [key]',
    summary: 'make a new access key in the place of an old one, which then ends',
    more: 'Without KEY: your newest one. A running daemon takes it over at once; jobs need no key.',
    examples: [
      'holdfast credentials rotate                # both work for 24 hours',
      'holdfast credentials rotate --grace 7d',
      "holdfast credentials rotate 'holdfast:restic@local' --grace 0   # a secret that leaked",
    ],
  })
    .option('--grace <duration>', 'how long the old key goes on, such as 24h, 7d or 0', '24h')
    .action((key: string | undefined, options: RotateKeyOptions) =>
      run(async (context) => (await import('./keys.ts')).rotateKey(context, key, options)),
    );

  declare(credentials, {
    usage: 'remove <key>',
    summary: 'end an access key at once',
    more: "The user's buckets and objects stay.",
    examples: ["holdfast credentials remove 'holdfast:restic@local'"],
  }).action((key: string) =>
    run(async (context) => (await import('./keys.ts')).removeKey(context, key)),
  );
}
