/** Lists and changes targets while no daemon is running, with the handlers of the daemon. */

import type { Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { type Home, prepareHome } from '../../src/config/home.ts';
import { loadConfig, readConfigText } from '../../src/config/load.ts';
import { TargetClients } from '../compose/target-clients.ts';
import { commandErrorOf } from '../control/wire-error.ts';
import { targetHandlers, type TargetHandlers } from '../handlers/jobs/configured-targets.ts';
import { Settings } from '../settings/settings.ts';

interface OfflinePlace {
  readonly home: Home;
  readonly clock: Clock;
}

/** Calls `use` with the daemon's handlers, which edit `config.yaml`. Throws the same ControlErrors as the daemon. */
export async function withOfflineTargets<T>(
  { home, clock }: OfflinePlace,
  use: (handlers: TargetHandlers) => Promise<T>,
): Promise<T> {
  prepareHome(home);
  const config = await loadConfig(home);
  const text = await readConfigText(home.configFile);
  const settings = new Settings({ home, config, text, apply: async () => [] });
  const logger = { ...silentLogger, area: () => silentLogger };
  const clients = new TargetClients({ home, config, clock, logger });
  const rooms = {
    checkTarget: clients.check.bind(clients),
    protocolOf: clients.dialects.protocolOf.bind(clients.dialects),
    whoIsAt: clients.whoIsAt.bind(clients),
  };
  try {
    return await use(targetHandlers({ rooms, settings }));
  } catch (error) {
    throw commandErrorOf(error);
  } finally {
    await clients.close();
  }
}
