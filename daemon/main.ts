/** Starts the daemon: opens the home, the services and the control socket, runs the jobs, and closes them in order. */

import { systemClock } from '../src/base/clock.ts';
import type { Clock } from '../src/base/clock.ts';
import { defined } from '../src/base/defined.ts';
import { ConfigError } from '../src/config/config-error.ts';
import { errorMessage } from '../src/base/errors.ts';
import type { Logger } from '../src/base/logger.ts';
import type { Config } from '../src/config/config.ts';
import { prepareHome } from '../src/config/home.ts';
import type { Home } from '../src/config/home.ts';
import { lastCrash, noteLife } from '../src/config/life.ts';
import { loadConfig, readConfigText } from '../src/config/load.ts';
import type { Activity } from '../src/mirror/model/tracker.ts';
import { openAlerts } from './alerts/open-alerts.ts';
import { compose } from './compose.ts';
import type { Rooms } from './rooms.ts';
import { serveControl } from './control-server.ts';
import { EventLog } from './event-log.ts';
import { jobHandlers } from './handlers/jobs.ts';
import { accessHandlers } from './handlers/access.ts';
import { atTarget, placesOf } from './handlers/at-target.ts';
import { browserHandlers } from './handlers/browsers.ts';
import { alertHandlers } from './handlers/alerts.ts';
import { clusterHandlers } from './handlers/clusters.ts';
import { configHandlers } from './handlers/config.ts';
import { conflictHandlers } from './handlers/conflicts.ts';
import { encryptionHandlers } from './handlers/encryption.ts';
import { explainHandlers } from './handlers/explain.ts';
import { historyHandlers } from './handlers/history.ts';
import { jobSettingsHandlers } from './handlers/job-settings.ts';
import { jobLockHandlers } from './handlers/job-locks.ts';
import { identityHandlers } from './handlers/identity.ts';
import { lifecycleHandlers, runResult } from './handlers/lifecycle.ts';
import { linkHandlers } from './handlers/links.ts';
import { lockHandlers } from './handlers/locks.ts';
import { quotaHandlers } from './handlers/quotas.ts';
import { alarmResult, monitoringHandlers } from './handlers/monitoring.ts';
import { proofHandlers } from './handlers/proof.ts';
import { restoreHandlers } from './handlers/restore.ts';
import { servedAt, serviceHandlers } from './handlers/service.ts';
import { type CopyProgress, objectHandlers } from './handlers/objects.ts';
import { storageHandlers } from './handlers/storage.ts';
import { seldom, storeHandlers } from './handlers/store.ts';
import { versionHandlers } from './handlers/versions.ts';
import { throughputHandlers } from './handlers/throughput.ts';
import { Jobs } from './jobs.ts';
import { openLog } from './log.ts';
import type { DaemonLog } from './log.ts';
import { Throughput } from './meter/throughput.ts';
import { openMetrics } from './metrics.ts';
import { renewRefusedKeys } from './renew-keys.ts';
import { Restores } from './restores.ts';
import { Settings } from './settings.ts';
import { refuseNewer } from './state-formats.ts';
import { checkNoJobs, NO_JOBS } from './store-only.ts';
import { Streams } from './streams.ts';
import { VERSION } from './version.ts';

export interface RunningDaemon {
  readonly pid: number;
  /** Resolves when everything is closed. Rejects if something could not be closed. */
  readonly stopped: Promise<void>;
  /** Stops the daemon. Returns the promise `stopped`. Further calls have no effect. */
  stop(reason: string): Promise<void>;
  /** Reads and applies `config.yaml` again. Errors are reported in the log and in the status. */
  reload(): void;
}

export interface StartOptions {
  readonly home: Home;
  /** Runs the embedded store and its gateways without jobs, for `holdfast s3 serve`. */
  readonly storeOnly?: boolean;
  /** Port of the embedded store, which overrides `storage.port`. */
  readonly port?: number;
  readonly clock?: Clock;
}

/**
 * Starts the daemon. Resolves when the control socket accepts requests. Throws ConfigError, StorageError, or an error
 * that names the obstacle, such as another daemon or a port in use.
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

/** Logs activities that concern a whole job. Activities of paths, of which there may be millions, are only events. */
function logActivity(log: Logger, job: string, { level, action, path, message }: Activity): void {
  if (path === undefined) log[level]({ job, action }, message);
}

interface Parts {
  readonly storeOnly: boolean;
  readonly home: Home;
  readonly config: Config;
  /** Text of `config.yaml`, from which `config` was read. */
  readonly text: string;
  readonly clock: Clock;
  readonly events: EventLog;
  readonly log: DaemonLog;
  readonly rooms: Rooms;
}

async function run({ storeOnly, ...parts }: Parts): Promise<RunningDaemon> {
  const { home, config, text, clock, events, log, rooms } = parts;
  const mirrorLog = log.area('mirror');
  const throughput = new Throughput({
    clock,
    events,
    tellTransfers: (name) => tellTransfers(name),
  });
  const jobs = new Jobs({
    throughput,
    rooms,
    clock,
    logger: log,
    onChange: (job) => events.appendNewest(`status of ${job.name}`, { type: 'job.changed', job }),
    onActivity: (job, activity) => {
      throughput.noteActivity(activity);
      events.append({ type: 'activity', job, ...activity });
      logActivity(mirrorLog, job, activity);
    },
    provenDays: () => settings.current().alerts.provenDays,
    onRemoved: (name) => void events.append({ type: 'job.removed', name }),
  });
  const tellTransfers = (name: string) => {
    const job = jobs.find((each) => each.name === name);
    if (!job) return;
    const body = { job: name, ...job.transfers(), ...defined({ progress: job.progress() }) };
    events.appendNewest(`transfers of ${name}`, { type: 'job.transfers', ...body });
  };
  const settings = new Settings({
    home,
    config,
    text,
    apply: async (changed) => {
      if (storeOnly) checkNoJobs(home, changed);
      await rooms.keys.load([...changed.targets, ...config.clusters.services]);
      return jobs.apply(changed);
    },
  });
  const reload = async () => {
    const reloaded = await settings.reload();
    rooms.storage.renewCertificate();
    log.info(
      { jobs: reloaded.jobs, warnings: settings.warnings() },
      'daemon: reloaded config.yaml',
    );
    return { ...reloaded, warnings: settings.warnings() };
  };
  renewRefusedKeys({ rooms, settings, clock, logger: log });
  const alerts = openAlerts({
    jobs,
    config: () => settings.current().alerts,
    home,
    clock,
    logger: log,
  });
  const streams = new Streams({ clock, logger: log });
  const restores = new Restores({
    events,
    ownFolders: home.ownFolders,
    stateDir: home.stateDir,
    clock,
    logger: log,
  });
  const stopping = Promise.withResolvers<string>();
  const tellProgress = seldom(clock, (id, progress) =>
    events.append({ type: 'store.progress', id, ...progress }),
  );
  const tellCopies = (id: string, { objects, sizeBytes: bytes }: CopyProgress) =>
    events.append({ type: 'copy.progress', id, objects, bytes });
  const places = placesOf(rooms, settings);
  const startedAt = clock.now();
  const metrics = await openMetrics({ rooms, jobs, home, clock, startedAt, config, logger: log });
  // Applied before the first request, which would otherwise not find the jobs.
  await settings.apply();
  const control = await serveControl({
    socketPath: home.socketPath,
    version: VERSION,
    handlers: {
      ...serviceHandlers({
        rooms,
        jobs,
        metrics,
        home,
        region: config.region,
        storeOnly,
        log,
        startedAt,
        warnings: () => [
          ...settings.warnings(),
          ...rooms.storage.warnings(),
          ...rooms.monitoring.warnings(),
          ...[log.problem() ?? []].flat(),
        ],
        stop: stopping.resolve,
      }),
      ...identityHandlers({
        identity: rooms.identity,
        own: rooms.principal,
        bucketsOf: (user) => rooms.bucketsOf(user),
        service: async () => ({ region: config.region, ...servedAt(rooms.storage) }),
      }),
      ...atTarget(places, (place) => accessHandlers(place, rooms.identity.grantees)),
      ...explainHandlers({ ...rooms, users: rooms.identity.users, own: rooms.principal, clock }),
      ...jobHandlers({ jobs, rooms, settings, clock }),
      ...configHandlers(reload),
      ...jobSettingsHandlers({ jobs, settings, rooms }),
      ...(storeOnly ? NO_JOBS : {}),
      ...throughputHandlers(jobs, throughput),
      ...alertHandlers(alerts, jobs),
      ...conflictHandlers({ jobs, streams, clock }),
      ...jobLockHandlers({ jobs, metrics: rooms.metrics, ownFolders: home.ownFolders }),
      ...atTarget(places, (place) => storageHandlers(place, streams, log)),
      ...atTarget(places, ({ store }) => encryptionHandlers(store)),
      ...atTarget(places, (place) => linkHandlers({ ...rooms, place, clock })),
      ...atTarget(places, (place) =>
        lockHandlers({ ...place, clock, quotas: config.storage.quotas }),
      ),
      ...atTarget(places, ({ store }) => versionHandlers(store)),
      ...quotaHandlers(rooms.quotas, {
        own: rooms.principal,
        check: (project) => void rooms.identity.projects.getProject(project),
      }),
      ...atTarget(places, (place) => browserHandlers({ ...rooms, place })),
      ...atTarget(places, ({ store }) => lifecycleHandlers({ ...rooms, store })),
      ...clusterHandlers(rooms.clusters),
      ...atTarget(places, (place) =>
        objectHandlers(place, { logger: log, clock, tell: tellCopies }),
      ),
      ...storeHandlers(rooms.upkeep, tellProgress, () => jobs.clockChanged()),
      ...monitoringHandlers({ ...rooms, prometheus: metrics.text }),
      ...restoreHandlers({ jobs, restores, streams, clock }),
      ...proofHandlers({ jobs, streams, clock }),
      ...historyHandlers({ jobs, restores, streams, clock, logger: log }),
    },
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
  log.info({ pid: process.pid, version: VERSION, storage: rooms.storage.url }, 'daemon: started');
  const life = { pid: process.pid, version: VERSION, startedAt };
  await noteLife(home, life, log);
  const stopped = stopping.promise.then(async (reason) => {
    log.info({ reason }, 'daemon: stopping');
    events.append({ type: 'stopping' });
    // Jobs are closed before the services that they use. The control socket stays open until then and sends their last
    // events.
    await alerts.close();
    await restores.runs.close();
    await jobs.close();
    await control.close();
    await metrics.close();
    await rooms.close();
    await noteLife(home, { ...life, stoppedAt: clock.now(), reason }, log);
    log.info({}, 'daemon: stopped');
    log.close();
  });
  return {
    pid: process.pid,
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
