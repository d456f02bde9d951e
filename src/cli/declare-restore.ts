/** The commands that give back what was mirrored. */

import { type Command, Option } from 'commander';

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
      'HOLDFAST_TARGET_ACCESS_KEY_ID=… HOLDFAST_TARGET_SECRET_ACCESS_KEY=… \\\n' +
        '      holdfast restore --from https://storage.example.com/documents --to ~/Documents',
    ],
  })
    .option('--from <place>', 'ENDPOINT/BUCKET[/PREFIX] of any service, without a daemon or a job')
    .option('--credentials <file>', 'for --from, in JSON; of the environment if not given')
    .addOption(new Option('--dialect <name>', 'what it speaks').choices(['svc', 'amz']))
    .option('--region <name>', 'its region')
    .option('--ca-file <file>', 'certificates to trust it by, in PEM, instead of the usual')
    .option('--to <dir>', 'the folder to write to; made when it is missing')
    .option('--in-place', 'to where it came from')
    .option('--at <time>', 'as it was then; now if not given')
    .option('--exact', 'set aside what is in the folder and was not then')
    .option('--dry-run', 'list what would be written, and write nothing')
    .action((subject: string | undefined, options: RestoreOptions) =>
      run(async (context) => (await import('./restore.ts')).restore(context, subject, options)),
    );
}
