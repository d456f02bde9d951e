/** Declares the commands for presigned URLs. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { LinkOptions } from './link.ts';
import type { Run } from '../../program.ts';

export function declareCommands(program: Command, run: Run): void {
  declare(program, {
    usage: 'link [object]',
    summary: 'create a presigned URL for one object',
    more:
      "OBJECT is BUCKET/KEY or a path in the folder of a job. It works whatever the follower's rights are, unless the bucket's policy denies it, and " +
      'opens nothing else. It is good for a day, or for up to seven.',
    examples: [
      'holdfast s3 link photos/2026/a.jpg',
      'holdfast s3 link photos/2026/a.jpg --expires 7d --version-id ID   # as `holdfast s3 versions` lists it',
      'holdfast s3 link inbox/report.pdf --put --expires 1h   # then: curl -T report.pdf ADDRESS',
      'holdfast s3 link --revoke-all',
    ],
    destroys: (_, { revokeAll }) => (revokeAll ? 'end every link created before' : undefined),
  })
    .option('--expires <duration>', 'how long it is good for, such as 30m, 1d or 7d', '1d')
    .option('--put', 'let the follower store the object instead of reading it')
    .option('--version-id <id>', 'that version instead of the current one')
    .option(
      '--endpoint <url>',
      'what the address begins with, where something forwards to the store',
    )
    .option('--revoke-all', 'revoke all existing links; takes no OBJECT')
    .action((object: string | undefined, options: LinkOptions) =>
      run(async (context) => (await import('./link.ts')).link(context, object, options)),
    );
}
