/** Control methods on the daemon itself: its status, its log, its credentials, its end. */

import { defined } from '../../src/base/defined.ts';
import type { Home } from '../../src/config/home.ts';
import type { Rooms } from '../compose.ts';
import type { ControlHandlers } from '../control-server.ts';
import type { Jobs } from '../jobs.ts';
import type { DaemonLog } from '../log.ts';
import { VERSION } from '../version.ts';

export interface ServiceHandlerOptions {
  readonly rooms: Rooms;
  readonly jobs: Jobs;
  readonly home: Home;
  readonly region: string;
  readonly log: DaemonLog;
  readonly startedAt: number;
  readonly warnings: () => string[];
  /** Begins the stop; the answer still goes out. */
  readonly stop: (reason: string) => void;
}

export function serviceHandlers(
  options: ServiceHandlerOptions,
): Pick<ControlHandlers, 'status' | 'shutdown' | 'credentials' | 'log.tail'> {
  const { rooms, jobs, home, region, log, startedAt, warnings, stop } = options;
  return {
    status: async () => ({
      version: VERSION,
      pid: process.pid,
      home: home.root ?? home.dataDir,
      startedAt,
      listeners: [...rooms.storage.listeners],
      jobs: jobs.status(),
      warnings: warnings(),
    }),
    shutdown: async () => {
      stop('asked over the control socket');
      return {};
    },
    credentials: async () => ({
      accessKeyId: rooms.accessKey.accessKeyId,
      secretAccessKey: rooms.accessKey.secretAccessKey,
      region,
      endpointUrl: rooms.storage.url,
      ...defined({ tlsEndpointUrl: rooms.storage.tlsUrl }),
      projectId: rooms.accessKey.principal.project,
    }),
    'log.tail': async ({ lines }) => ({ lines: log.tail(lines) }),
  };
}
