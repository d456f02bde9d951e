/** The commands that give back what was mirrored. */

import type { Command } from 'commander';

import { declare } from './declare.ts';
import type { Run } from './program.ts';
import type { RestoreOptions } from './restore.ts';

export function declareRestoreCommands(program: Command, run: Run): void {
  declare(program, {
    usage: 'restore [subject]',
    summary:
      'write a job, or a path in its folder, as it is or as it was, to a folder or back in place',
    more:
      'Nothing local is lost: what stands in the way and differs is moved to a folder that is named. ' +
      'What is there already is not fetched again, so that a restore that was broken off goes on.',
    examples: [
      'holdfast restore documents --to /tmp/back',
      'holdfast restore documents --to /tmp/back --at "2h ago"',
      'holdfast restore documents --to /tmp/back --at "2026-11-20 14:00"   # local time',
      'holdfast restore documents --to /tmp/back --at 2026-11-20T14:00:00Z',
      'holdfast restore ~/Documents/letters --at "1d ago" --in-place --dry-run',
      'holdfast restore ~/Documents --at "1d ago" --in-place --exact   # later files are set aside too',
    ],
  })
    .option('--to <dir>', 'the folder to write to; made when it is missing')
    .option('--in-place', 'to where it came from')
    .option('--at <time>', 'as it was then; now if not given')
    .option('--exact', 'set aside what is in the folder and was not then')
    .option('--dry-run', 'list what would be written, and write nothing')
    .action((subject: string | undefined, options: RestoreOptions) =>
      run(async (context) => (await import('./restore.ts')).restore(context, subject, options)),
    );
}
