/** Declares `restore`, `undo`, `history`, `diff`, `verify`, `test` and `wait`. */

import type { Command } from 'commander';

import { collect, CREDENTIALS, declare, protocolOption } from '../../declare.ts';
import { wholeNumber } from '../../output/numbers.ts';
import type { Run } from '../../program.ts';
import type { DiffOptions } from './diff.ts';
import type { HistoryOptions } from './show-history.ts';
import type { RestoreOptions } from './restore.ts';
import type { UndoOptions } from './undo.ts';
import type { VerifyOptions } from '../verify/verify.ts';
import type { WaitOptions } from '../daemon/wait.ts';

/**
 * The hint if no daemon is running. The command pauses the job first. Otherwise `holdfast up` would also delete the
 * lost files in the bucket.
 */
const hintWithoutDaemon =
  'to start it with the job paused, so that no damage is mirrored: holdfast job pause JOB && holdfast up; then repeat this command; to continue afterwards: holdfast job resume JOB';

export function declareCommands(program: Command, run: Run): void {
  declare(program, {
    usage: 'restore [subject] [paths...]',
    hintWithoutDaemon,
    summary: 'restore files, in their current or an earlier version',
    more:
      'Without arguments on a terminal, asks for the job, the time, the files and the folder. ' +
      'SUBJECT is a job, a path in its folder, JOB/PATH, or an object of a job. If it could be several of them, ' +
      'write ./PATH or the absolute path. PATH~2 is the second version before the current one. ' +
      'PATHS are below the folder of SUBJECT: only they are restored, and each keeps its place below DIR. ' +
      'No local data is lost: with --in-place, a local file that no version has is stored as a version before it is replaced, ' +
      'and stays if that fails; with --to, a different file is moved to a folder that the command prints. ' +
      'Files that are already there are not fetched again, so that an interrupted restore can be continued.',
    examples: [
      'holdfast restore   # asks',
      'holdfast restore documents --to /tmp/back',
      'holdfast restore documents --to /tmp/back --at "2h ago"',
      'holdfast restore documents --to /tmp/back --at "2026-11-20 14:00"   # local time',
      'holdfast restore documents --to /tmp/back --at 2026-11-20T14:00:00Z',
      'holdfast restore documents/letters --to /tmp/back',
      'holdfast restore documents letters plan.txt --to /tmp/back   # the folder letters and a file',
      'holdfast restore ~/Documents/letters/ann~1 --to /tmp/back   # the version before the current one',
      'holdfast restore ~/Documents/letters --at "1d ago" --in-place --dry-run',
      'holdfast restore ~/Documents --at "1d ago" --in-place --exact   # remove later files, too',
      'HOLDFAST_TARGET_ACCESS_KEY_ID=… HOLDFAST_TARGET_SECRET_ACCESS_KEY=… \\\n' +
        '      holdfast restore --from https://storage.example.com/documents --to ~/Documents',
    ],
  })
    .option(
      '--from <place>',
      's3://BUCKET[/PREFIX] or HOST/BUCKET[/PREFIX], without a daemon or a job',
    )
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
    .option(
      '--exact',
      'also remove files that did not exist at that time; with --to, set them aside',
    )
    .option('--dry-run', 'list what would be written, and write nothing')
    .action((subject: string | undefined, paths: readonly string[], options: RestoreOptions) =>
      run(async (context) =>
        (await import('./restore.ts')).restore(context, subject, paths, options),
      ),
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
    usage: 'undo [path]',
    hintWithoutDaemon,
    summary: 'make an earlier version of a file current again',
    more:
      'In the bucket and in the folder. Without --at or --version-id: the previous version. No version is deleted: the ' +
      'earlier version is copied, despite locks. A local file that no version has is stored as a version before it is ' +
      'replaced; if that fails, it stays. A moved file gets its earlier name back, and the new name is removed. Of a ' +
      'folder, files that were added later stay, and so does the new name of a moved one. --redo brings back what the ' +
      'last undo of the job replaced, and removes the files that it had restored where none were.',
    examples: [
      'holdfast undo ~/Documents/thesis.md',
      'holdfast undo ~/Documents/thesis.md~2                       # the second version before the current one',
      'holdfast undo ~/Documents/letters --at "1d ago" --dry-run   # a folder needs a time',
      'holdfast undo --redo documents                              # take back the last undo of the job',
    ],
  })
    .option('--at <time>', 'the version at this time')
    .option('--version-id <id>', 'this version of one file')
    .option('--redo', 'take back the last undo of the job; PATH is a job or a path in its folder')
    .option('--dry-run', 'only report what would become current')
    .action((path: string | undefined, options: UndoOptions) =>
      run(async (context) => (await import('./undo.ts')).undo(context, path, options)),
    );
  declare(program, {
    usage: 'history [subject]',
    hintWithoutDaemon,
    summary: 'list the versions of a file, or the changes of a folder by day',
    more:
      'SUBJECT is a job, a path in its folder, or BUCKET/KEY. A version shows its number for PATH~N, its age and date, its size ' +
      'and the difference from the version before, who wrote it, and its lock. A deletion is a row of its own. WRITTEN BY ' +
      'is – if the writer is unknown, as that of each deletion, because a delete marker has no metadata. Of a folder, ' +
      'the number of files that were added, changed, removed and moved on each day. A file counts as moved if it was ' +
      'removed and a file with the same content was added within 5 minutes; a version or deletion of a file shows the other name. SUBJECT can be left out with --at if there is only one job.',
    examples: [
      'holdfast history ~/Documents/thesis.md',
      'holdfast history ~/Documents                     # changes by day',
      'holdfast history ~/Documents --day yesterday     # the files of a day',
      'holdfast history ~/Documents --from "2h ago" --json',
      'holdfast history documents --at "2026-11-20 14:00"   # the files at a past time',
    ],
  })
    .option('--day <date>', 'list the files that changed on this day')
    .option('--from <time>', 'list the files that changed since this time')
    .option('--to <time>', 'list the files that changed until this time')
    .option('--at <time>', 'list the files as they were at this time')
    .option('--all', 'list all versions of a file, not only the newest 100')
    .action((subject: string | undefined, options: HistoryOptions) =>
      run(async (context) =>
        (await import('./show-history.ts')).history(context, subject, options),
      ),
    );
  declare(program, {
    usage: 'diff [path] [other]',
    hintWithoutDaemon,
    summary: 'compare two versions of a file, or a folder at two times',
    more:
      'Text files up to 4 MiB are shown as a unified difference, others as sizes and hashes. By default, the second side of a file ' +
      'is the local file if it differs from the current version, or else the current version; the first side is the version ' +
      'before. PATH~N and OTHER~N select versions. Of a folder or a job, the versions in the bucket are compared, by ' +
      'default those of 1 day ago with the current ones. A file counts as moved if the same content is under another ' +
      'path. PATH can be left out if there is only one job.',
    examples: [
      'holdfast diff ~/Documents/thesis.md',
      'holdfast diff ~/Documents/thesis.md --from "1d ago"',
      'holdfast diff ~/Documents/thesis.md~2 ~/Documents/thesis.md~1',
      'holdfast diff ~/Documents                    # 1 day ago and now',
      'holdfast diff documents --from 2026-11-01 --to 2026-11-08 --json',
    ],
  })
    .option('--from <time>', 'the first side: the version, or the folder, at this time')
    .option('--to <time>', 'the second side; by default, now')
    .action((path: string | undefined, other: string | undefined, options: DiffOptions) =>
      run(async (context) => (await import('./diff.ts')).diff(context, path, other, options)),
    );
}
