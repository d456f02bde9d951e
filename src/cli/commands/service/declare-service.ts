/** Declares the commands of the topic `service`, which run the daemon under the system's service manager. */

import { Option } from 'commander';
import type { Command } from 'commander';

import { collect, declare } from '../../declare.ts';
import { wholeNumber } from '../../output/numbers.ts';
import type { Run } from '../../program.ts';
import { declareDaemonProcess } from '../daemon/declare-processes.ts';
import type { Choice } from './choose.ts';
import type { ServiceInstallOptions, ServiceLogsOptions } from './service.ts';

const SYSTEM = ['--system', 'of the whole machine: the store alone, as a user of its own'] as const;

export function declareServiceCommands(program: Command, run: Run): void {
  const service = declare(program, {
    usage: 'service',
    summary: 'run Holdfast as a service of the system (systemd, launchd)',
    more: 'It starts with the system, and again when it fails. docs/service.md has it in depth.',
    examples: ['holdfast service install', 'holdfast service status'],
  }).helpCommand(false);
  declareInstall(service, run);
  declare(service, {
    usage: 'uninstall',
    summary: 'stop the service and remove its files; what is stored stays',
    examples: ['holdfast service uninstall'],
  })
    .option(...SYSTEM)
    .action((choice: Choice) =>
      run(async (context) => (await import('./service.ts')).uninstallService(context, choice)),
    );
  declareVerbs(service, run);
  declare(service, {
    usage: 'status',
    summary: 'say whether the service runs',
    more: 'Exit code 3 when it does not. What it protects is told by `holdfast status`.',
    examples: ['holdfast service status', 'holdfast service status --json | jq .running'],
  })
    .option(...SYSTEM)
    .action((choice: Choice) =>
      run(async (context) => (await import('./service.ts')).serviceStatus(context, choice)),
    );
  declareLogs(service, run);
  declareDaemonProcess(service, run);
}

function declareInstall(service: Command, run: Run): void {
  declare(service, {
    usage: 'install',
    summary: 'install the service, or its newest form, and start it',
    more: 'Safe to run again, as after an upgrade.',
    examples: [
      'holdfast service install',
      'holdfast service install --print                 # show the files, write none',
      'sudo holdfast service install --system --for ann # a store apart, and a key of it for ann',
    ],
  })
    .option(...SYSTEM)
    .option('--for <user>', 'with --system: who gets a key; may be repeated', collect)
    .option('--print', 'show what would be written')
    .addOption(
      new Option('--manager <name>', 'with --print: of another system').choices([
        'systemd',
        'launchd',
      ]),
    )
    .option('--from-checkout', 'though `npm ci` there removes what the service runs from')
    .action((options: ServiceInstallOptions) =>
      run(async (context) => (await import('./service.ts')).installService(context, options)),
    );
}

function declareVerbs(service: Command, run: Run): void {
  const summaries = {
    start: 'start the service',
    stop: 'stop the service until it is started, or the system is',
    restart: 'stop and start the service',
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
    summary: 'print what the service manager has heard of the service',
    more: 'Why it did not start, for example. What the daemon does is in its own log: `holdfast log`.',
    examples: ['holdfast service logs -n 100', 'holdfast service logs -f'],
  })
    .option(...SYSTEM)
    .option('-f, --follow', 'go on with what comes, until Ctrl-C')
    .option('-n, --lines <count>', 'how many lines', wholeNumber(0, 10_000), 50)
    .action((options: ServiceLogsOptions) =>
      run(async (context) => (await import('./service.ts')).serviceLogs(context, options)),
    );
}
