/** The commands that give back what was mirrored. */

import { type Command, Option } from 'commander';

import { collect, declare } from '../../declare.ts';
import { wholeNumber } from '../../output/numbers.ts';
import type { Run } from '../../program.ts';
import type { RestoreOptions } from './restore.ts';
import type { UndoOptions } from './undo.ts';
import type { VerifyOptions } from '../verify/verify.ts';
import type { WaitOptions } from '../daemon/wait.ts';

/** `holdfast up` alone would also mirror a folder that lost its files. */
const hintWithoutDaemon =
  'to start it with the job paused, so that no damage is mirrored: holdfast jobs pause JOB && holdfast up; then repeat this command; to continue afterwards: holdfast jobs resume JOB';

export function declareRestoreCommands(program: Command, run: Run): void {
  declare(program, {
    usage: 'restore [subject]',
    hintWithoutDaemon,
    summary:
      'write a job, or a path in its folder, as it is or as it was, to a folder or back in place',
    more:
      'The subject is a job, a path in its folder, or JOB/PATH. Where JOB/PATH could also be a relative path, ' +
      'write ./PATH or the absolute path. ' +
      'Nothing local is lost: what stands in the way and differs is moved to a folder that is named. ' +
      'What is there already is not fetched again, so that a restore that was broken off goes on.',
    examples: [
      'holdfast restore documents --to /tmp/back',
      'holdfast restore documents --to /tmp/back --at "2h ago"',
      'holdfast restore documents --to /tmp/back --at "2026-11-20 14:00"   # local time',
      'holdfast restore documents --to /tmp/back --at 2026-11-20T14:00:00Z',
      'holdfast restore documents/letters --to /tmp/back',
      'holdfast restore ~/Documents/letters --at "1d ago" --in-place --dry-run',
      'holdfast restore ~/Documents --at "1d ago" --in-place --exact   # later files are set aside too',
      'HOLDFAST_TARGET_ACCESS_KEY_ID=… HOLDFAST_TARGET_SECRET_ACCESS_KEY=… \\\n' +
        '      holdfast restore --from https://storage.example.com/documents --to ~/Documents',
    ],
  })
    .option('--from <place>', 'ENDPOINT/BUCKET[/PREFIX] of any service, without a daemon or a job')
    .option('--credentials <file>', 'for --from, in JSON; of the environment if not given')
    .addOption(
      new Option('--dialect <name>', 'its protocol; detected if not given').choices(['svc', 'amz']),
    )
    .option('--region <name>', 'its region')
    .option('--ca-file <file>', 'certificates to trust it by, in PEM, instead of the usual')
    .option(
      '--key-file <file>',
      'for --from, the key that its objects are encrypted under; repeated for earlier ones',
      collect,
    )
    .option(
      '--trust-attributes',
      'for --from, restore owners and special mode bits, whichever client wrote them',
    )
    .option('--to <dir>', 'the folder to write to; made when it is missing')
    .option('--in-place', 'to where it came from')
    .option('--at <time>', 'as it was then; now if not given')
    .option('--exact', 'set aside what is in the folder and was not then')
    .option('--dry-run', 'list what would be written, and write nothing')
    .action((subject: string | undefined, options: RestoreOptions) =>
      run(async (context) => (await import('./restore.ts')).restore(context, subject, options)),
    );
  declareUndoAndAt(program, run);
  declareProof(program, run);
  declare(program, {
    usage: 'wait [jobs...]',
    summary: 'wait until all that was changed before is durable, and locked where it is to be',
    more: 'Exit code 3 when a job cannot go on, or left something with a problem.',
    examples: ['holdfast wait', 'holdfast wait documents --timeout 10m && poweroff'],
  })
    .option('--timeout <duration>', 'such as 30s, 10m or 2h; then it fails')
    .action((jobs: readonly string[], options: WaitOptions) =>
      run(async (context) => (await import('../daemon/wait.ts')).wait(context, jobs, options)),
    );
}

function declareProof(program: Command, run: Run): void {
  declare(program, {
    usage: 'verify [jobs...]',
    summary: 'prove that each local file has a current version of equal checksum, and its lock',
    more: 'Reads every file, and asks the service about each. Exit code 1 where something differs.',
    examples: [
      'holdfast verify',
      'holdfast verify documents --read-back        # its content is read from the service, too',
      'holdfast verify documents --read-back 5 --json   # up to 5 GB of it',
    ],
  })
    .option(
      '--read-back [gigabytes]',
      'read content from the service and compare it, all or so much',
      wholeNumber(1, 1_000_000),
    )
    .action((jobs: readonly string[], options: VerifyOptions) =>
      run(async (context) => (await import('../verify/verify.ts')).verify(context, jobs, options)),
    );
  declare(program, {
    usage: 'drill [jobs...]',
    summary:
      'restore test: restore some small files, and compare ranges of large files with the folder',
    more: 'Runs each week unasked; `holdfast status` reports what was proven. Exit code 1 where a file did not come back.',
    examples: ['holdfast drill', 'holdfast drill documents --json'],
  }).action((jobs: readonly string[]) =>
    run(async (context) => (await import('../verify/verify.ts')).drill(context, jobs)),
  );
}

function declareUndoAndAt(program: Command, run: Run): void {
  declare(program, {
    usage: 'undo <path>',
    hintWithoutDaemon,
    summary: 'make an older version of a file current again, in the bucket and in the folder',
    more:
      'Without --at or --version-id: the version before. Nothing is taken back: the older version is copied ' +
      'forward, whatever locks there are, and what differs in the folder is set aside.',
    examples: [
      'holdfast undo ~/Documents/thesis.md',
      'holdfast undo ~/Documents/letters --at "1d ago" --dry-run   # a folder needs a time',
    ],
  })
    .option('--at <time>', 'as it was then')
    .option('--version-id <id>', 'this version of one file')
    .option('--dry-run', 'say what would be made current')
    .action((path: string, options: UndoOptions) =>
      run(async (context) => (await import('./undo.ts')).undo(context, path, options)),
    );
  declare(program, {
    usage: 'at <time> <what> [rest...]',
    hintWithoutDaemon,
    summary: 'show a job as it was: ls [PATH], or diff [TIME2|now] [PATH]',
    more: 'Told from the versions in the bucket. JOB may stand for PATH; with one job both may be missing.',
    examples: [
      'holdfast at "2h ago" ls ~/Documents/letters',
      'holdfast at "1d ago" diff ~/Documents          # until now',
      'holdfast at 2026-11-01 diff 2026-11-08 documents --json',
    ],
  }).action((time: string, what: string, rest: readonly string[]) =>
    run(async (context) => (await import('./at.ts')).at(context, time, what, rest)),
  );
}
