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
      'OBJECT is BUCKET/KEY or a path in the folder of a job. The URL works without permissions, unless the bucket policy denies it, and ' +
      'opens only this object. It is valid for a day, or for up to seven.',
    examples: [
      'holdfast s3 link photos/2026/a.jpg',
      'holdfast s3 link photos/2026/a.jpg --expires 7d --version-id ID   # as `holdfast s3 versions` lists it',
      'holdfast s3 link inbox/report.pdf --put --expires 1h   # then: curl -T report.pdf ADDRESS',
      'holdfast s3 link --revoke-all',
    ],
    destroys: (_, { revokeAll }) => (revokeAll ? 'revoke all existing URLs' : undefined),
  })
    .option('--expires <duration>', 'how long the URL is valid, such as 30m, 1d or 7d', '1d')
    .option('--put', 'create a URL for uploading the object instead of reading it')
    .option('--version-id <id>', 'this version instead of the current one')
    .option('--endpoint <url>', 'start of the URL, if a proxy forwards requests to the store')
    .option('--revoke-all', 'revoke all existing URLs; takes no OBJECT')
    .action((object: string | undefined, options: LinkOptions) =>
      run(async (context) => (await import('./link.ts')).link(context, object, options)),
    );
}
