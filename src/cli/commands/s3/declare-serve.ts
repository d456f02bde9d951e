/** Declares `s3 serve`. A service manager uses it to run the embedded store without jobs. */

import type { Command } from 'commander';

import { declare, portOption } from '../../declare.ts';
import type { Run } from '../../program.ts';
import type { DaemonOptions } from '../daemon/daemon.ts';

export function declareCommands(s3: Command, run: Run): void {
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
      run(async ({ io, options: globals }) =>
        (await import('../../daemon-process.ts')).runDaemon(io, globals, {
          ...options,
          storeOnly: true,
        }),
      ),
    );
}
