/** Declares `restore`, `undo`, `history`, `diff`, `verify`, `test` and `wait`. */

import type { Command } from 'commander';

import { collect, CREDENTIALS, declare, protocolOption } from '../../declare.ts';
import { wholeNumber } from '../../output/numbers.ts';
import type { Run } from '../../program.ts';
import type { HistoryOptions } from './history-and-diff.ts';
import type { RestoreOptions } from './restore.ts';
import type { UndoOptions } from './undo.ts';
import type { VerifyOptions } from '../verify/verify.ts';
import type { WaitOptions } from '../daemon/wait.ts';

/** The hint pauses the job first, because `holdfast up` alone would also mirror the loss of the files. */
const hintWithoutDaemon =
  'to start it with the job paused, so that no damage is mirrored: holdfast job pause JOB && holdfast up; then repeat this command; to continue afterwards: holdfast job resume JOB';

export function declareCommands(program: Command, run: Run): void {
  declare(program, {
    usage: 'restore [subject]',
    hintWithoutDaemon,
    summary: 'restore files, in their current or an earlier version',
    more:
      'SUBJECT is a job, a path in its folder, JOB/PATH, or an object of a job. If it could be several of them, ' +
      'write ./PATH or the absolute path. PATH~2 is the second version before the current one. ' +
      'No local file is lost: a different file with the same name is moved to a folder that the command prints. ' +
      'Files that are already there are not fetched again, so that an interrupted restore can be continued.',
    examples: [
      'holdfast restore documents --to /tmp/back',
      'holdfast restore documents --to /tmp/back --at "2h ago"',
      'holdfast restore documents --to /tmp/back --at "2026-11-20 14:00"   # local time',
      'holdfast restore documents --to /tmp/back --at 2026-11-20T14:00:00Z',
      'holdfast restore documents/letters --to /tmp/back',
      'holdfast restore ~/Documents/letters/ann~1 --to /tmp/back   # the version before the current one',
      'holdfast restore ~/Documents/letters --at "1d ago" --in-place --dry-run',
      'holdfast restore ~/Documents --at "1d ago" --in-place --exact   # later files are set aside too',
      'HOLDFAST_TARGET_ACCESS_KEY_ID=… HOLDFAST_TARGET_SECRET_ACCESS_KEY=… \\\n' +
        '      holdfast restore --from https://storage.example.com/documents --to ~/Documents',
    ],
  })
    .option('--from <place>', 'ENDPOINT/BUCKET[/PREFIX] of any service, without a daemon or a job')
    .option(...CREDENTIALS.file)
    .option(...CREDENTIALS.profile)
    .option(...CREDENTIALS.command)
    .addOption(protocolOption())
    .option('--region <name>', 'region of the service')
    .option('--ca-file <file>', 'PEM file of trusted certificates, instead of the default ones')
    .option(
      '--key-file <file>',
      'for --from: customer key of the objects; repeat it for earlier keys',
      collect,
    )
    .option(
      '--trust-attributes',
      'for --from: restore owners and special mode bits, whichever client wrote them',
    )
    .option('--to <dir>', 'folder to write to; created if it does not exist')
    .option('--in-place', 'restore to the original folder')
    .option('--at <time>', 'restore the state at this time; by default, the current state')
    .option('--exact', 'set aside files that did not exist at that time')
    .option('--dry-run', 'list what would be written, and write nothing')
    .action((subject: string | undefined, options: RestoreOptions) =>
      run(async (context) => (await import('./restore.ts')).restore(context, subject, options)),
    );
  declareHistory(program, run);
  declareProof(program, run);
  declare(program, {
    usage: 'wait [jobs...]',
    summary: 'wait until all earlier changes are backed up',
    more: 'Waits for locks too. Exit code 3 if a job cannot continue, or a file has a problem.',
    examples: ['holdfast wait', 'holdfast wait documents --timeout 10m && poweroff'],
  })
    .option('--timeout <duration>', 'fail after this time, such as 30s, 10m or 2h')
    .action((jobs: readonly string[], options: WaitOptions) =>
      run(async (context) => (await import('../daemon/wait.ts')).wait(context, jobs, options)),
    );
}

function declareProof(program: Command, run: Run): void {
  declare(program, {
    usage: 'verify [jobs...]',
    summary: 'compare all local files with their backup',
    more: 'Reads every file, and compares its checksum and its lock with its current version. Exit code 1 if something differs.',
    examples: [
      'holdfast verify',
      'holdfast verify documents --read-back        # also reads the content from the service',
      'holdfast verify documents --read-back 5 --json   # up to 5 GB of it',
    ],
  })
    .option(
      '--read-back [gigabytes]',
      'also read content from the service and compare it: all of it, or this many gigabytes',
      wholeNumber(1, 1_000_000),
    )
    .action((jobs: readonly string[], options: VerifyOptions) =>
      run(async (context) => (await import('../verify/verify.ts')).verify(context, jobs, options)),
    );
  declare(program, {
    usage: 'test [jobs...]',
    summary: 'restore some files as a test, and compare them',
    more:
      'Restores some small files and ranges of large files, and compares them with the folder. The daemon does this every ' +
      'week; `holdfast status` shows the results. Exit code 1 if a file could not be restored.',
    examples: ['holdfast test', 'holdfast test documents --json'],
  }).action((jobs: readonly string[]) =>
    run(async (context) => (await import('../verify/verify.ts')).drill(context, jobs)),
  );
}

function declareHistory(program: Command, run: Run): void {
  declare(program, {
    usage: 'undo <path>',
    hintWithoutDaemon,
    summary: 'make an earlier version of a file current again',
    more:
      'In the bucket and in the folder. Without --at or --version-id: the previous version. No version is deleted: the ' +
      'earlier version is copied, despite locks, and a different local file is moved aside.',
    examples: [
      'holdfast undo ~/Documents/thesis.md',
      'holdfast undo ~/Documents/thesis.md~2                       # the second version before the current one',
      'holdfast undo ~/Documents/letters --at "1d ago" --dry-run   # a folder needs a time',
    ],
  })
    .option('--at <time>', 'the version at this time')
    .option('--version-id <id>', 'this version of one file')
    .option('--dry-run', 'only report what would become current')
    .action((path: string, options: UndoOptions) =>
      run(async (context) => (await import('./undo.ts')).undo(context, path, options)),
    );
  declare(program, {
    usage: 'history [subject]',
    hintWithoutDaemon,
    summary: 'list versions of a file, or a folder as it was',
    more: 'SUBJECT is a job, a path in its folder, or BUCKET/KEY. Add ~1 for one version only. It can be left out with --at if there is only one job.',
    examples: [
      'holdfast history ~/Documents/thesis.md',
      'holdfast history ~/Documents/letters --at "2h ago"',
      'holdfast history documents --at "2026-11-20 14:00" --json',
    ],
  })
    .option('--at <time>', 'list the files as they were at this time')
    .action((subject: string | undefined, options: HistoryOptions) =>
      run(async (context) =>
        (await import('./history-and-diff.ts')).history(context, subject, options),
      ),
    );
  declare(program, {
    usage: 'diff <from> [rest...]',
    hintWithoutDaemon,
    summary: 'compare a job or a folder at two times',
    more: 'Usage: diff FROM [TO|now] [PATH], or diff PATH~N [PATH~N]. Compares the versions in the bucket. PATH can be a job. It can be left out if there is only one job.',
    examples: [
      'holdfast diff "1d ago" ~/Documents          # until now',
      'holdfast diff 2026-11-01 2026-11-08 documents --json',
      'holdfast diff ~/Documents/thesis.md~1       # with its current version',
    ],
  }).action((from: string, rest: readonly string[]) =>
    run(async (context) => (await import('./history-and-diff.ts')).diff(context, from, rest)),
  );
}
