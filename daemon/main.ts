/**
 * Starts the daemon: opens the home folder, the services and the control socket, runs the jobs, and closes everything
 * in order.
 */

import { systemClock } from '../src/base/clock.ts';
import type { Clock } from '../src/base/clock.ts';
import { defined } from '../src/base/defined.ts';
import { ConfigError } from '../src/config/config-error.ts';
import { errorMessage } from '../src/base/errors.ts';
import { prepareHome } from '../src/config/home.ts';
import type { Home } from '../src/config/home.ts';
import { lastCrash, noteLife } from '../src/config/life.ts';
import { loadConfig, readConfigText } from '../src/config/load.ts';
import { openAlerts } from './alerts/open-alerts.ts';
import { compose } from './compose/compose.ts';
import { composeHandlers, type HandlerParts } from './compose/compose-handlers.ts';
import { composeJobs, type DaemonParts } from './compose/compose-jobs.ts';
import { type ControlServer, serveControl } from './control/control-server.ts';
import { EventLog } from './control/event-log.ts';
import { runResult } from './handlers/buckets/lifecycle.ts';
import { alarmResult } from './handlers/store/monitoring.ts';
import { openLog } from './log/log.ts';
import { openMetrics } from './metrics/metrics.ts';
import { renewRefusedKeys } from './settings/renew-keys.ts';
import { Restores } from './restores/restores.ts';
import { openCounts } from './usage/counts.ts';
import { refuseNewer } from './state/state-formats.ts';
import { checkNoJobs } from './settings/store-only.ts';
import { Streams } from './control/streams.ts';
import { VERSION } from './version.ts';

export interface RunningDaemon {
  readonly pid: number;
  /** The URL of the embedded store. */
  readonly url: string;
  /** Resolves when everything is closed. Rejects if something could not be closed. */
  readonly stopped: Promise<void>;
  /** Stops the daemon and returns the promise `stopped`. Further calls have no effect. */
  stop(reason: string): Promise<void>;
  /** Reads and applies `config.yaml` again. Errors are reported in the log and in the status. */
  reload(): void;
}

export interface StartOptions {
  readonly home: Home;
  /** Runs the embedded store and its gateways without jobs, for `holdfast s3 serve`. */
  readonly storeOnly?: boolean;
  /** The port of the embedded store. It overrides `storage.port`. */
  readonly port?: number;
  readonly clock?: Clock;
}

/**
 * Starts the daemon. Resolves when the control socket accepts requests. Throws ConfigError, StorageError, or an error
 * with the reason, such as a running daemon or a port in use.
 */
export async function startDaemon(options: StartOptions): Promise<RunningDaemon> {
  const { home, storeOnly = false, port, clock = systemClock } = options;
  prepareHome(home);
  const text = await readConfigText(home.configFile);
  const config = await loadConfig(home);
  if (storeOnly) checkNoJobs(home, config);
  const events = new EventLog({ clock });
  const onLine = (line: string) => void events.append({ type: 'log', line });
  const crash = lastCrash(home);
  const log = openLog({
    file: home.logFile,
    level: config.logLevel,
    levels: config.logLevels,
    onLine,
  });
  try {
    await refuseNewer(home);
    const storage = { ...config.storage, ...defined({ port }) };
    const rooms = await compose({ home, config: { ...config, storage }, clock, logger: log });
    if (crash) log.warn(crash, 'daemon: the previous daemon stopped unexpectedly');
    try {
      return await run({ home, config, text, clock, events, log, rooms, storeOnly });
    } catch (error) {
      await rooms.close();
      throw error;
    }
  } catch (error) {
    const hint = error instanceof ConfigError ? error.hint : undefined;
    log.error(defined({ error: errorMessage(error), hint }), 'start daemon: failed');
    log.close();
    throw error;
  }
}

async function run(parts: DaemonParts): Promise<RunningDaemon> {
  const { home, config, clock, events, log, rooms } = parts;
  const composed = composeJobs(parts);
  const { jobs, recorder, settings, reload } = composed;
  renewRefusedKeys({ rooms, settings, clock, logger: log });
  const alerts = openAlerts({
    jobs,
    config: () => settings.current().alerts,
    home,
    clock,
    logger: log,
  });
  const streams = new Streams({ clock, logger: log });
  const { ownFolders, stateDir } = home;
  const restores = new Restores({ events, ownFolders, stateDir, clock, logger: log });
  const counts = openCounts(clock);
  const stopping = Promise.withResolvers<string>();
  const startedAt = clock.now();
  const metrics = await openMetrics({ rooms, jobs, home, clock, startedAt, config, logger: log });
  // Jobs must exist before the first request.
  await settings.apply();
  const stop = stopping.resolve;
  const own = { alerts, counts, streams, restores, metrics, startedAt, stop };
  const opened = { ...parts, ...composed, ...own };
  const control = await serveControl({
    socketPath: home.socketPath,
    version: VERSION,
    configFile: home.configFile,
    handlers: composeHandlers(opened),
    events,
    streams,
    clock,
    logger: log,
  }).catch(async (error: unknown) => {
    await jobs.close();
    await metrics.close();
    throw error;
  });
  rooms.monitoring.start({
    changed: (alarm) => void events.append({ type: 'alarm.changed', alarm: alarmResult(alarm) }),
    removed: (name) => void events.append({ type: 'alarm.removed', name }),
  });
  rooms.lifecycle.onRun((run) => {
    events.append({ type: 'lifecycle.finished', run: runResult(run) });
  });
  alerts.start();
  recorder.start();
  log.info({ pid: process.pid, version: VERSION, storage: rooms.storage.url }, 'daemon: started');
  const life = { pid: process.pid, version: VERSION, startedAt };
  await noteLife(home, life, log);
  const stopped = stopping.promise.then(async (reason) => {
    await close(opened, control, reason);
    await noteLife(home, { ...life, stoppedAt: clock.now(), reason }, log);
    log.info({}, 'daemon: stopped');
    log.close();
  });
  return {
    pid: process.pid,
    url: rooms.storage.url,
    stopped,
    stop(reason) {
      stopping.resolve(reason);
      return stopped;
    },
    reload() {
      reload().catch((error: unknown) => {
        log.error({ error: errorMessage(error) }, 'daemon: cannot reload config.yaml');
      });
    },
  };
}

/**
 * Closes everything. Jobs are closed first, because they use all other parts. The control socket is closed after the
 * jobs, so that it can report how they end.
 */
async function close(
  { log, events, alerts, recorder, counts, restores, jobs, metrics, rooms, grouped }: HandlerParts,
  control: ControlServer,
  reason: string,
): Promise<void> {
  log.info({ reason }, 'daemon: stopping');
  events.append({ type: 'stopping' });
  await alerts.close();
  recorder.close();
  await restores.runs.close();
  await jobs.close();
  await control.close();
  grouped.close();
  await counts.close();
  await metrics.close();
  await rooms.close();
}
