/** Declares the commands of the topic `service`. They run the daemon under the system's service manager. */

import { Option } from 'commander';
import type { Command } from 'commander';

import { collect, declare, portOption } from '../../declare.ts';
import { wholeNumber } from '../../output/numbers.ts';
import type { Run } from '../../program.ts';
import type { DaemonOptions } from '../daemon/daemon.ts';
import type { Choice } from './choose.ts';
import type { ServiceInstallOptions, ServiceLogsOptions } from './service.ts';

const SYSTEM = [
  '--system',
  'the service of the machine: only the store, as a separate user',
] as const;

export function declareCommands(program: Command, run: Run): void {
  const service = declare(program, {
    usage: 'service',
    summary: 'run Holdfast as a service of the system (systemd, launchd)',
    more: 'The service starts with the system, and restarts after a failure. See docs/how-to/service.md.',
    examples: ['holdfast service install', 'holdfast service status'],
  }).helpCommand(false);
  declareInstall(service, run);
  declare(service, {
    usage: 'uninstall',
    summary: 'stop the service and remove its files, but keep all stored data',
    examples: ['holdfast service uninstall'],
  })
    .option(...SYSTEM)
    .action((choice: Choice) =>
      run(async (context) => (await import('./service.ts')).uninstallService(context, choice)),
    );
  declareVerbs(service, run);
  declare(service, {
    usage: 'status',
    summary: 'report whether the service runs',
    more: 'Exit code 3 if it does not run. `holdfast status` shows what is backed up.',
    examples: ['holdfast service status', 'holdfast service status --json | jq .result.running'],
  })
    .option(...SYSTEM)
    .action((choice: Choice) =>
      run(async (context) => (await import('./service.ts')).serviceStatus(context, choice)),
    );
  declareLogs(service, run);
  declareRun(service, run);
}

function declareInstall(service: Command, run: Run): void {
  declare(service, {
    usage: 'install',
    summary: 'install or update the service, and start it',
    more: 'Can be repeated, such as after an upgrade.',
    examples: [
      'holdfast service install',
      'holdfast service install --print                 # show the files, and write none',
      'sudo holdfast service install --system --for ann # a store as a separate user, with a key for ann',
    ],
  })
    .option(...SYSTEM)
    .option('--for <user>', 'with --system: create a key for this user; may be repeated', collect)
    .option('--print', 'show the files, and write nothing')
    .addOption(
      new Option('--manager <name>', 'with --print: for another service manager').choices([
        'systemd',
        'launchd',
      ]),
    )
    .option('--from-checkout', 'run from a checkout, although `npm ci` there removes the program')
    .action((options: ServiceInstallOptions) =>
      run(async (context) => (await import('./service.ts')).installService(context, options)),
    );
}

function declareVerbs(service: Command, run: Run): void {
  const summaries = {
    start: 'start the service',
    stop: 'stop the service until the next start of the service or the system',
    restart: 'restart the service',
  };
  for (const verb of ['start', 'stop', 'restart'] as const) {
    declare(service, {
      usage: verb,
      summary: summaries[verb],
      examples: [`holdfast service ${verb}`],
    })
      .option(...SYSTEM)
      .action((choice: Choice) =>
        run(async (context) =>
          (await import('./service.ts')).controlService(context, verb, choice),
        ),
      );
  }
}

function declareLogs(service: Command, run: Run): void {
  declare(service, {
    usage: 'logs',
    summary: 'print the log of the service manager for the service',
    more: 'It contains, for example, why the service did not start. The daemon has its own log: `holdfast log`.',
    examples: ['holdfast service logs -n 100', 'holdfast service logs -f'],
  })
    .option(...SYSTEM)
    .option('-f, --follow', 'print new lines until Ctrl-C')
    .option('-n, --lines <count>', 'number of lines', wholeNumber(0, 10_000), 50)
    .action((options: ServiceLogsOptions) =>
      run(async (context) => (await import('./service.ts')).serviceLogs(context, options)),
    );
}

function declareRun(service: Command, run: Run): void {
  declare(service, {
    usage: 'run',
    summary: 'run the daemon in the foreground, as the service does',
    more: 'SIGTERM and `holdfast down` stop it. On SIGHUP it reloads config.yaml.',
    examples: ['holdfast service run', 'holdfast service run --home /srv/holdfast'],
  })
    .addOption(portOption())
    .action((options: DaemonOptions) =>
      run(async ({ io, options: globals }) =>
        (await import('../../daemon-process.ts')).runDaemon(io, globals, options),
      ),
    );
}
