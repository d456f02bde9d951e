/** Composes the handlers of all control methods. They are created once, when the daemon starts. */

import type { JobAlerts } from '../alerts/job-alerts.ts';
import type { ComposedJobs, DaemonParts } from './compose-jobs.ts';
import type { ControlHandlers } from '../control/control-handlers.ts';
import { accessHandlers } from '../handlers/buckets/access.ts';
import { alertHandlers } from '../handlers/jobs/alerts.ts';
import { atTarget, placesOf } from '../handlers/buckets/at-target.ts';
import { browserHandlers } from '../handlers/buckets/browsers.ts';
import { clusterHandlers } from '../handlers/store/clusters.ts';
import { configHandlers } from '../handlers/jobs/config.ts';
import { targetHandlers } from '../handlers/jobs/configured-targets.ts';
import { conflictHandlers } from '../handlers/jobs/conflicts.ts';
import { encryptionHandlers } from '../handlers/buckets/encryption.ts';
import { explainHandlers } from '../handlers/store/explain.ts';
import { historyHandlers } from '../handlers/jobs/history.ts';
import { undoHandlers } from '../handlers/jobs/undo-versions.ts';
import { identityHandlers } from '../handlers/identity/identity.ts';
import { jobDecisionHandlers } from '../handlers/jobs/job-decisions.ts';
import { jobLockHandlers } from '../handlers/jobs/job-locks.ts';
import { jobSettingsHandlers } from '../handlers/jobs/job-settings.ts';
import { jobHandlers } from '../handlers/jobs/jobs.ts';
import { lifecycleHandlers } from '../handlers/buckets/lifecycle.ts';
import { linkHandlers } from '../handlers/buckets/links.ts';
import { lockHandlers } from '../handlers/buckets/locks.ts';
import { monitoringHandlers } from '../handlers/store/monitoring.ts';
import { objectHandlers } from '../handlers/buckets/objects.ts';
import { proofHandlers } from '../handlers/jobs/proof.ts';
import { quotaHandlers } from '../handlers/store/quotas.ts';
import { reportingHandlers } from '../handlers/jobs/report-actions.ts';
import { restoreHandlers } from '../handlers/jobs/restore.ts';
import { servedAt, serviceHandlers } from '../handlers/store/service.ts';
import { sizeHandlers } from '../handlers/buckets/sizes.ts';
import { storageHandlers } from '../handlers/buckets/storage.ts';
import { seldom, storeHandlers } from '../handlers/store/store.ts';
import { throughputHandlers } from '../handlers/jobs/throughput.ts';
import { versionHandlers } from '../handlers/buckets/versions.ts';
import type { DaemonMetrics } from '../metrics/metrics.ts';
import type { Restores } from '../restores/restores.ts';
import { NO_JOBS } from '../settings/store-only.ts';
import type { Counts } from '../usage/counts.ts';
import type { Streams } from '../control/streams.ts';

export interface HandlerParts extends DaemonParts, ComposedJobs {
  readonly alerts: JobAlerts;
  readonly metrics: DaemonMetrics;
  readonly restores: Restores;
  readonly counts: Counts;
  readonly streams: Streams;
  readonly startedAt: number;
  /** Initiates the shutdown of the daemon. */
  readonly stop: (reason: string) => void;
}

export function composeHandlers(parts: HandlerParts): ControlHandlers {
  const handlers = allHandlers(parts);
  return {
    ...handlers,
    ...reportingHandlers(handlers, { ...parts, report: parts.reportAction }),
  };
}

function allHandlers(parts: HandlerParts): ControlHandlers {
  const { rooms, jobs, settings, log, clock, counts, streams, metrics } = parts;
  const ownPlace = { store: rooms.store, changes: rooms.jobStore(undefined).changes };
  return {
    ...serviceHandlers({ ...parts, region: parts.config.region, warnings: () => warnings(parts) }),
    ...identityHandlers({
      identity: rooms.identity,
      own: rooms.principal,
      bucketsOf: (user) => rooms.bucketsOf(user),
      service: async () => ({ region: parts.config.region, ...servedAt(rooms.storage) }),
    }),
    ...explainHandlers({ ...rooms, users: rooms.identity.users, own: rooms.principal, clock }),
    ...targetHandlers({ rooms, settings }),
    ...jobHandlers({ jobs, rooms, settings, clock }),
    ...jobDecisionHandlers(jobs, clock),
    ...jobSettingsHandlers({ jobs, settings, rooms }),
    ...(parts.storeOnly ? NO_JOBS : {}),
    ...configHandlers(parts.reload),
    ...throughputHandlers({ ...parts, recent: rooms.monitoring.recent }),
    ...alertHandlers(parts.alerts, jobs),
    ...conflictHandlers({ jobs, streams, clock }),
    ...jobLockHandlers({
      jobs,
      metrics: rooms.metrics,
      countLocks: (bucket) => counts.locks.read(ownPlace, bucket, 'missing'),
      ownFolders: parts.home.ownFolders,
    }),
    ...atTarget(placesOf(rooms, settings), placeHandlers(parts)),
    ...quotaHandlers(rooms.quotas, {
      own: rooms.principal,
      check: (project) => void rooms.identity.projects.getProject(project),
    }),
    ...clusterHandlers(rooms.clusters),
    ...storeHandlers(rooms.upkeep, storeProgress(parts), () => jobs.clockChanged()),
    ...monitoringHandlers({ ...rooms, clock, prometheus: metrics.text }),
    ...restoreHandlers(parts),
    ...proofHandlers(parts),
    ...historyHandlers(parts),
    ...undoHandlers({ ...parts, logger: log }),
  };
}

/** Returns the handlers of the methods with a `target` parameter, which selects a store. */
function placeHandlers({ rooms, config, counts, events, streams, log, clock }: HandlerParts) {
  return {
    ...accessHandlers(rooms.identity.grantees),
    ...storageHandlers(streams, log),
    ...encryptionHandlers(),
    ...linkHandlers({ ...rooms, clock }),
    ...lockHandlers({ clock, quotas: config.storage.quotas }),
    ...versionHandlers(),
    ...sizeHandlers(counts.folders, rooms.jobStore(undefined).changes),
    ...browserHandlers(rooms),
    ...lifecycleHandlers(rooms),
    ...objectHandlers({
      logger: log,
      clock,
      onCopyProgress: (id, { sizeBytes: bytes, ...progress }) =>
        events.append({ type: 'copy.progress', id, bytes, ...progress }),
    }),
  };
}

/** Returns the function that reports the progress of a check or repair as events. */
function storeProgress({ clock, events }: HandlerParts): Parameters<typeof storeHandlers>[1] {
  return seldom(clock, (id, progress) =>
    events.append({ type: 'store.progress', id, ...progress }),
  );
}

/** Returns warnings about the configuration, the listeners, monitoring and the log. */
function warnings({ settings, rooms, log }: HandlerParts): string[] {
  return [
    ...settings.warnings(),
    ...rooms.storage.warnings(),
    ...rooms.monitoring.warnings(),
    ...[log.problem() ?? []].flat(),
  ];
}
