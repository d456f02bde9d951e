/** Implements the control methods for the daemon itself: status, log, credentials and shutdown. */

import { statfsSync } from 'node:fs';

import { defined } from '../../../src/base/defined.ts';
import { failureReason } from '../../../src/base/disk-error.ts';
import type { Home } from '../../../src/config/home.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { AccessKey } from '../../../src/identity/identity.ts';
import type { Rooms } from '../../services/rooms.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { DaemonLog } from '../../log/log.ts';
import type { DaemonMetrics } from '../../metrics/metrics.ts';
import { VERSION } from '../../version.ts';
import { alarmResult } from './monitoring.ts';
import { currentKey } from '../identity/keys.ts';
import { healthResult } from './store.ts';

export interface ServiceHandlerOptions {
  readonly rooms: Rooms;
  readonly jobs: Jobs;
  readonly metrics: DaemonMetrics;
  readonly home: Home;
  readonly region: string;
  readonly storeOnly: boolean;
  readonly log: DaemonLog;
  readonly startedAt: number;
  readonly warnings: () => string[];
  /** Initiates the shutdown of the daemon. The response to the request is still sent. */
  readonly stop: (reason: string) => void;
}

/**
 * Returns the access key with this ID. By default, returns the current key of the daemon's own user. Throws
 * ControlError `NotFound`.
 */
function keyToShow({ identity, principal }: Rooms, accessKeyId: string | undefined): AccessKey {
  if (accessKeyId === undefined) return currentKey(identity.keys, principal);
  const key = identity.keys.findKey(accessKeyId);
  if (key) return key;
  throw new ControlError('NotFound', `unknown access key ${accessKeyId}`, {
    hint: 'to list the keys: holdfast admin keys list',
  });
}

/**
 * Returns the size of the store's file system without the space that is reserved for root, and the free space, as `df`
 * does. If they cannot be read, returns the reason as a warning.
 */
function diskAt(folder: string): Partial<Pick<Result<'status'>, 'disk'>> & { warnings: string[] } {
  try {
    const { bavail, bfree, blocks, bsize } = statfsSync(folder);
    const sizeBytes = (blocks - bfree + bavail) * bsize;
    return { disk: { freeBytes: bavail * bsize, sizeBytes }, warnings: [] };
  } catch (error) {
    const warning = `cannot read the folder of the store ${folder}: ${failureReason(error, 'folder')}; mount its disk`;
    return { warnings: [warning] };
  }
}

export function servedAt({ url, tlsUrl }: Rooms['storage']) {
  return { endpointUrl: url, ...defined({ tlsEndpointUrl: tlsUrl }) };
}

export function serviceHandlers(
  options: ServiceHandlerOptions,
): Pick<ControlHandlers, 'status' | 'shutdown' | 'credentials' | 'log.tail'> {
  const { rooms, jobs, metrics, home, region, storeOnly, log, startedAt, warnings, stop } = options;
  return {
    status: async () => {
      const disk = diskAt(rooms.storeDir);
      return {
        version: VERSION,
        pid: process.pid,
        home: home.root ?? home.dataDir,
        startedAt,
        listeners: [...rooms.storage.listeners, ...rooms.clusters.listeners, ...metrics.listeners],
        store: healthResult(rooms.upkeep),
        ...disk,
        ...(storeOnly ? { storeOnly } : {}),
        jobs: jobs.status(),
        alarms: rooms.monitoring
          .alarms()
          .map(alarmResult)
          .filter(({ state }) => state === 'ALARM'),
        warnings: [...warnings(), ...disk.warnings],
      };
    },
    shutdown: async () => {
      stop('requested over the control socket');
      return {};
    },
    credentials: async ({ accessKeyId }) => {
      const key = keyToShow(rooms, accessKeyId);
      return {
        accessKeyId: key.accessKeyId,
        secretAccessKey: key.secretAccessKey,
        region,
        ...servedAt(rooms.storage),
        ...defined({ clusterUrl: rooms.clusters.listeners[0]?.url }),
        projectId: key.principal.project,
      };
    },
    'log.tail': async ({ lines }) => ({ lines: log.tail(lines) }),
  };
}
