/** Declares `service run` and `s3 serve`, with which a service manager runs the daemon or only the embedded store. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';
import type { DaemonOptions } from './daemon.ts';
import { portOption } from './declare-daemon.ts';

export function declareDaemonProcess(service: Command, run: Run): void {
  declare(service, {
    usage: 'run',
    summary: 'run the daemon in the foreground, as the service does',
    more: 'SIGTERM and `holdfast down` stop it. On SIGHUP it reloads config.yaml.',
    examples: ['holdfast service run', 'holdfast service run --home /srv/holdfast'],
  })
    .addOption(portOption())
    .action((options: DaemonOptions) =>
      run(async (context) => (await import('./daemon.ts')).daemon(context, options)),
    );
}

export function declareStoreProcess(s3: Command, run: Run): void {
  declare(s3, {
    usage: 'serve',
    summary: 'run the embedded store alone, without jobs, as a separate user',
    more:
      'Programs that run as your user then cannot remove locked versions, since the jobs of your daemon access this store ' +
      'with an access key. `holdfast service install --system` sets it up.',
    examples: ['sudo -u holdfast holdfast --home /var/lib/holdfast s3 serve'],
  })
    .addOption(portOption())
    .action((options: DaemonOptions) =>
      run(async (context) =>
        (await import('./daemon.ts')).daemon(context, { ...options, storeOnly: true }),
      ),
    );
}
