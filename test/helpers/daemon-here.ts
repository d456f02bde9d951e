/**
 * Starts the daemon in this process with a control client. This takes a quarter of the CPU time of
 * a daemon process (daemon-process.ts), which a test needs only to kill it or to send it signals.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { startDaemon } from '../../daemon/main.ts';
import { systemClock } from '../../src/base/clock.ts';
import { resolveHome, storeFolder } from '../../src/config/home.ts';
import { connectControl } from '../../src/control/client.ts';
import type { ControlClient } from '../../src/control/client.ts';
import { makeHome } from './daemon-process.ts';
import { prepareStore } from './prepared-files.ts';

export interface DaemonHere {
  readonly client: ControlClient;
  /** Reads and applies `config.yaml` again, as after a SIGHUP. */
  reload(): void;
  /** Stops the daemon. Further calls have no effect. */
  stop(): Promise<void>;
}

/** Starts the daemon. A home without a configuration file gets one with port 0, and a home without a store a new one. */
export async function startDaemonHere(home: string, clock = systemClock): Promise<DaemonHere> {
  if (!existsSync(join(home, 'config.yaml'))) makeHome(home);
  const options = { home: resolveHome({ homeFlag: home, env: {}, cwd: '/' }), clock };
  const store = storeFolder(options.home);
  if (!existsSync(store)) prepareStore(store);
  const daemon = await startDaemon(options);
  const socketPath = join(home, 'control.sock');
  const client = await connectControl({ socketPath, clientName: 'test' });
  return {
    client,
    reload: () => daemon.reload(),
    async stop() {
      client.close();
      await daemon.stop('the test is over');
    },
  };
}
