/** Declares `admin whoami` and `admin credentials`. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';
import type { CredentialsOptions } from './credentials.ts';
import type { WhoamiOptions } from './whoami.ts';

export function declareCommands(admin: Command, run: Run): void {
  declare(admin, {
    usage: 'whoami [user]',
    summary: 'show the IDs of a user: project, storage user, email and customer, and the access',
    more: 'Other users need these IDs to grant permissions to the user. Without USER, shows your own. Works without a daemon, too.',
    examples: [
      'holdfast admin whoami',
      'holdfast admin whoami photos:ann --json | jq -r .result.id',
      'holdfast admin whoami --target offsite',
    ],
  })
    .option('--target <name>', 'show what a remote service reports; needs the daemon')
    .action((user: string | undefined, options: WhoamiOptions) =>
      run(async (context) => (await import('./whoami.ts')).whoami(context, user, options)),
    );

  declare(admin, {
    usage: 'credentials',
    summary: 'show what other tools need to use the embedded store',
    more: '--env prints lines for a shell; they also work as a settings file: holdfast admin credentials --env > settings.',
    examples: [
      'holdfast admin credentials',
      'eval "$(holdfast admin credentials --env)" && aws s3 ls',
      "holdfast admin credentials --env --key 'holdfast:restic@local' > restic.env",
    ],
  })
    .option('--env', 'print export lines for a shell, with the secret')
    .option('--show-secret', 'show the secret access key, too')
    .option('--key <id>', 'use this key instead of your newest one')
    .action((options: CredentialsOptions) =>
      run(async (context) => (await import('./credentials.ts')).credentials(context, options)),
    );
}
