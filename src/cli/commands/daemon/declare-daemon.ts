/** Declares `init`, `up`, `down`, `status`, `dashboard`, `log`, `doctor` and `support-bundle`. */

import { Option } from 'commander';
import type { Command } from 'commander';

import { collect, CREDENTIALS, declare, portOption, protocolOption } from '../../declare.ts';
import type { DashboardOptions } from './dashboard.ts';
import type { LogOptions } from './log.ts';
import type { InitOptions } from '../init/asking.ts';
import { wholeNumber } from '../../output/numbers.ts';
import type { Run } from '../../program.ts';
import type { UpOptions } from './up.ts';

export function declareCommands(program: Command, run: Run): void {
  declareInit(program, run);
  declareUp(program, run);
  declare(program, {
    usage: 'down',
    summary: 'stop the daemon',
    more: 'The jobs stay in config.yaml, and the next `holdfast up` continues them.',
    examples: ['holdfast down'],
  }).action(() => run(async (context) => (await import('./down.ts')).down(context)));

  declare(program, {
    usage: 'status [jobs...]',
    summary: 'show what is backed up, and what is not',
    more:
      'Prints one line for each job, or the details of the only job or of the named ones. ' +
      'If no daemon runs, shows how the last one ended, the jobs and their last rounds. ' +
      'Exit code 3 if something needs attention or no daemon runs the jobs.',
    examples: [
      'holdfast status',
      'holdfast status documents',
      'holdfast status --json | jq .result.jobs[].state',
    ],
  }).action((jobs: readonly string[]) =>
    run(async (context) => (await import('./status.ts')).status(context, jobs)),
  );

  declare(program, {
    usage: 'dashboard',
    summary: 'browse and control everything in the terminal',
    more:
      '`holdfast` without a command does the same on a terminal, and runs `holdfast status` elsewhere. Press ? for the keys. ' +
      'Colors are off with NO_COLOR. With --plain, a dumb terminal or a screen reader it prints lines of text.',
    examples: ['holdfast', 'holdfast dashboard --plain'],
  })
    .option('--plain', 'print lines of text instead of a screen')
    .action((options: DashboardOptions) =>
      run(async (context) => (await import('./dashboard.ts')).dashboard(context, options)),
    );

  declare(program, {
    usage: 'log',
    summary: "print the end of the daemon's log",
    examples: ['holdfast log -n 200', 'holdfast log -f', 'holdfast log --json | jq .event.msg'],
  })
    .option('-f, --follow', 'print new lines until Ctrl-C')
    .option('-n, --lines <count>', 'number of lines', wholeNumber(0, 10_000), 20)
    .action((options: LogOptions) =>
      run(async (context) => (await import('./log.ts')).log(context, options)),
    );

  declare(program, {
    usage: 'doctor',
    summary: 'find problems of this installation, with their fixes',
    more:
      'Checks Node, the disk, file watches, the home, the daemon, its service, the folders of the jobs, and the credentials, ' +
      'clock, locks and lifecycle rules of each target. Changes nothing, and needs no daemon. Exit code 1 if a check fails, ' +
      '3 if something needs attention.',
    examples: [
      'holdfast doctor',
      "holdfast doctor --json | jq -r '.result.findings[].fix // empty'",
    ],
  }).action(() => run(async (context) => (await import('../doctor/doctor.ts')).doctor(context)));

  declare(program, {
    usage: 'support-bundle [dir]',
    summary: 'collect diagnostic data in a new folder, without secrets',
    more:
      'Contains versions, the configuration, the status, the findings of `holdfast doctor` and the end of the log. Excludes ' +
      'keys, signatures, comments, paths of webhooks and arguments of commands, but not the names of files, buckets and hosts.',
    examples: ['holdfast support-bundle', 'holdfast support-bundle /tmp/for-ann'],
  }).action((dir: string | undefined) =>
    run(async (context) =>
      (await import('../support/support-bundle.ts')).supportBundle(context, dir),
    ),
  );
}

function declareInit(program: Command, run: Run): void {
  declare(program, {
    usage: 'init [folder]',
    summary: 'set up the first job, step by step',
    more:
      'Asks for each setting without an option, on a terminal or line by line from standard input. Tests a new key of a ' +
      'remote service, and writes nothing before the last answer. Then starts the daemon in the background or as a ' +
      'service, and shows the first backup. With --yes, accepts the default of each setting.',
    examples: [
      'holdfast init',
      'holdfast init ~/Documents --yes --service',
      'HOLDFAST_TARGET_ACCESS_KEY_ID=… HOLDFAST_TARGET_SECRET_ACCESS_KEY=… \\\n' +
        '      holdfast init ~/Documents --to https://storage.example.com --lock governance --days 30 --yes',
    ],
  })
    .option(
      '--to <place>',
      'local, TARGET[:BUCKET[/PREFIX]], s3://BUCKET, or the host or URL of a service',
    )
    .addOption(protocolOption())
    .option('--region <name>', 'region of the remote service')
    .option(...CREDENTIALS.file)
    .option(...CREDENTIALS.profile)
    .option(...CREDENTIALS.command)
    .option('--bucket <name>', 'bucket and name of the job; by default, that of the folder')
    .addOption(
      new Option('--lock <policy>', 'who may delete stored versions').choices([
        'none',
        'governance',
        'compliance',
      ]),
    )
    .option('--days <count>', 'days for which each version is locked', wholeNumber(1, 36_500))
    .option('--exclude <pattern>', 'files to exclude, as in .gitignore; may be repeated', collect)
    .option('--service', 'install and start the system service afterwards')
    .option('--no-start', 'do not start the job')
    .action((folder: string | undefined, options: InitOptions) =>
      run(async (context) => (await import('../init/init.ts')).init(context, folder, options)),
    );
}

function declareUp(program: Command, run: Run): void {
  declare(program, {
    usage: 'up [folder]',
    summary: 'back up a folder, and keep it backed up',
    more:
      'Adds the job to the running daemon, or starts the daemon in this process if none runs. It then ends with this ' +
      'command; --detach starts it in the background instead. Without FOLDER, continues the existing jobs.',
    examples: [
      'holdfast up ~/Documents',
      'holdfast up ~/Documents --detach      # run in the background',
      'holdfast up ~/Documents --once        # end when everything is durable',
      "holdfast up ~/src --bucket code --exclude node_modules/ --exclude '*.o'",
      'HOLDFAST_TARGET_ACCESS_KEY_ID=… HOLDFAST_TARGET_SECRET_ACCESS_KEY=… \\\n' +
        '      holdfast up ~/Documents --to https://storage.example.com',
    ],
  })
    .option('--bucket <name>', 'bucket and name of the job; by default, that of the folder')
    .option(
      '--to <place>',
      'TARGET[:BUCKET[/PREFIX]], s3://BUCKET, or the host or URL of a service',
    )
    .addOption(protocolOption())
    .option('--region <name>', 'region of the remote service')
    .option('--ca-file <file>', 'PEM file of trusted certificates, instead of the default ones')
    .option(...CREDENTIALS.file)
    .option(...CREDENTIALS.profile)
    .option(...CREDENTIALS.command)
    .option('--exclude <pattern>', 'files to exclude, as in .gitignore; may be repeated', collect)
    .option('--take-over', 'take over the destination from another job that no longer exists')
    .option('-d, --detach', 'run the daemon in the background, and end when its jobs have started')
    .option('--once', 'end when everything is durable')
    .addOption(portOption())
    .action((folder: string | undefined, options: UpOptions) =>
      run(async (context) => (await import('./up.ts')).up(context, folder, options)),
    );
}
