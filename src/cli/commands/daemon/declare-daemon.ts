/** Declares `init`, `up`, `down`, `status`, `dashboard`, `log`, `doctor` and `support-bundle`. */

import { Option } from 'commander';
import type { Command } from 'commander';

import { collect, declare, protocolOption } from '../../declare.ts';
import type { DashboardOptions } from './dashboard.ts';
import type { LogOptions } from './log.ts';
import type { InitOptions } from '../init/asking.ts';
import { wholeNumber } from '../../output/numbers.ts';
import type { Run } from '../../program.ts';
import type { UpOptions } from './up.ts';

export function declareDaemonCommands(program: Command, run: Run): void {
  declareInit(program, run);
  declareUp(program, run);
  declare(program, {
    usage: 'down',
    summary: 'stop the daemon',
    more: 'Its jobs stay in config.yaml: the next `holdfast up` goes on with them.',
    examples: ['holdfast down'],
  }).action(() => run(async (context) => (await import('./down.ts')).down(context)));

  declare(program, {
    usage: 'status',
    summary: 'show what is backed up, and what is not',
    more:
      'Without a daemon: how it ended, the jobs and their last rounds. Exit code 3 when something needs attention, as jobs ' +
      'do that no daemon runs.',
    examples: ['holdfast status', 'holdfast status --json | jq .jobs[].state'],
  }).action(() => run(async (context) => (await import('./status.ts')).status(context)));

  declare(program, {
    usage: 'dashboard',
    summary: 'browse and control everything in the terminal',
    more:
      'What bare `holdfast` is on a terminal; elsewhere that is `holdfast status`. ? shows the keys. ' +
      'NO_COLOR is kept; --plain, a dumb terminal or a screen reader get lines of text.',
    examples: ['holdfast', 'holdfast dashboard --plain'],
  })
    .option('--plain', 'lines of text instead of a screen')
    .action((options: DashboardOptions) =>
      run(async (context) => (await import('./dashboard.ts')).dashboard(context, options)),
    );

  declare(program, {
    usage: 'log',
    summary: "print the end of the daemon's log",
    examples: ['holdfast log -n 200', 'holdfast log -f', 'holdfast log --json | jq .msg'],
  })
    .option('-f, --follow', 'go on with what comes, until Ctrl-C')
    .option('-n, --lines <count>', 'how many lines', wholeNumber(0, 10_000), 20)
    .action((options: LogOptions) =>
      run(async (context) => (await import('./log.ts')).log(context, options)),
    );

  declare(program, {
    usage: 'doctor',
    summary: 'find problems of this installation, with their fixes',
    more:
      'Looks at Node, the disk, watches, the home, the daemon, its service, folders of jobs, and each target: its credentials, ' +
      'its clock, its locks and its lifecycle. Changes nothing, and needs no daemon. Exit code 1 when something fails, 3 when ' +
      'something needs attention.',
    examples: ['holdfast doctor', "holdfast doctor --json | jq -r '.findings[].fix // empty'"],
  }).action(() => run(async (context) => (await import('../doctor/doctor.ts')).doctor(context)));

  declare(program, {
    usage: 'support-bundle [dir]',
    summary: 'collect diagnostic data in a new folder, without secrets',
    more:
      'Versions, the configuration, the status, what `holdfast doctor` finds and the end of the log. Keys, signatures, comments, ' +
      'paths of webhooks and arguments of commands are left out; names of files, buckets and hosts are not.',
    examples: ['holdfast support-bundle', 'holdfast support-bundle /tmp/for-ann'],
  }).action((dir: string | undefined) =>
    run(async (context) =>
      (await import('../support/support-bundle.ts')).supportBundle(context, dir),
    ),
  );
}

export function portOption(): Option {
  const option = new Option('--port <number>', 'where the store listens, in place of storage.port');
  return option.argParser(wholeNumber(0, 65_535));
}

function declareInit(program: Command, run: Run): void {
  declare(program, {
    usage: 'init [folder]',
    summary: 'set up the first job, step by step',
    more:
      'Asks for what no option says: on a terminal, or of a script one line each from standard input. Nothing is written ' +
      'before the last answer. A new key of a remote service is tried before. With --yes, it uses the proposed answers.',
    examples: [
      'holdfast init',
      'holdfast init ~/Documents --yes --service',
      'HOLDFAST_TARGET_ACCESS_KEY_ID=… HOLDFAST_TARGET_SECRET_ACCESS_KEY=… \\\n' +
        '      holdfast init ~/Documents --to https://storage.example.com --lock governance --days 30 --yes',
    ],
  })
    .option('--to <place>', 'local, or the endpoint of a remote service')
    .addOption(protocolOption())
    .option('--region <name>', "the remote service's region")
    .option('--credentials <file>', 'its key, in JSON; of the environment if not given')
    .option('--bucket <name>', 'the bucket; named after the folder if not given')
    .addOption(
      new Option('--lock <policy>', 'who may delete what is stored').choices([
        'none',
        'governance',
        'compliance',
      ]),
    )
    .option('--days <count>', 'for how long each version is locked', wholeNumber(1, 36_500))
    .option('--exclude <pattern>', 'what to leave out, as in .gitignore; may be repeated', collect)
    .option('--service', 'start it as a service of the system afterwards')
    .action((folder: string | undefined, options: InitOptions) =>
      run(async (context) => (await import('../init/init.ts')).init(context, folder, options)),
    );
}

function declareUp(program: Command, run: Run): void {
  declare(program, {
    usage: 'up [folder]',
    summary: 'back up a folder, and keep it backed up',
    more:
      'Starts the daemon in this process if none runs, else adds the job to the one that does. ' +
      'Without FOLDER: goes on with the jobs there are.',
    examples: [
      'holdfast up ~/Documents',
      'holdfast up ~/Documents --once        # until all is durable, then end',
      "holdfast up ~/src --bucket code --exclude node_modules/ --exclude '*.o'",
      'HOLDFAST_TARGET_ACCESS_KEY_ID=… HOLDFAST_TARGET_SECRET_ACCESS_KEY=… \\\n' +
        '      holdfast up ~/Documents --to https://storage.example.com',
    ],
  })
    .option('--bucket <name>', 'the bucket; named after the folder if not given')
    .option('--to <place>', 'the endpoint of a remote service, or TARGET[:BUCKET[/PREFIX]]')
    .addOption(protocolOption())
    .option('--region <name>', "the remote service's region")
    .option('--ca-file <file>', 'certificates to trust it by, in PEM, instead of the usual')
    .option('--credentials <file>', 'for --to, in JSON; of the environment if not given')
    .option('--exclude <pattern>', 'what to leave out, as in .gitignore; may be repeated', collect)
    .option('--take-over', 'own the place though another job claimed it, which is gone for good')
    .option('--once', 'end when everything is durable')
    .addOption(portOption())
    .action((folder: string | undefined, options: UpOptions) =>
      run(async (context) => (await import('./up.ts')).up(context, folder, options)),
    );
}
