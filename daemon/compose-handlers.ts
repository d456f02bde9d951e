/** Composes the handlers of all control methods. They are created once, when the daemon starts. */

import type { JobAlerts } from './alerts/job-alerts.ts';
import type { ComposedJobs, DaemonParts } from './compose-jobs.ts';
import type { ControlHandlers } from './control-handlers.ts';
import { accessHandlers } from './handlers/access.ts';
import { alertHandlers } from './handlers/alerts.ts';
import { atTarget, placesOf } from './handlers/at-target.ts';
import { browserHandlers } from './handlers/browsers.ts';
import { clusterHandlers } from './handlers/clusters.ts';
import { configHandlers } from './handlers/config.ts';
import { targetHandlers } from './handlers/configured-targets.ts';
import { conflictHandlers } from './handlers/conflicts.ts';
import { encryptionHandlers } from './handlers/encryption.ts';
import { explainHandlers } from './handlers/explain.ts';
import { historyHandlers } from './handlers/history.ts';
import { identityHandlers } from './handlers/identity.ts';
import { jobDecisionHandlers } from './handlers/job-decisions.ts';
import { jobLockHandlers } from './handlers/job-locks.ts';
import { jobSettingsHandlers } from './handlers/job-settings.ts';
import { jobHandlers } from './handlers/jobs.ts';
import { lifecycleHandlers } from './handlers/lifecycle.ts';
import { linkHandlers } from './handlers/links.ts';
import { lockHandlers } from './handlers/locks.ts';
import { monitoringHandlers } from './handlers/monitoring.ts';
import { objectHandlers } from './handlers/objects.ts';
import { proofHandlers } from './handlers/proof.ts';
import { quotaHandlers } from './handlers/quotas.ts';
import { restoreHandlers } from './handlers/restore.ts';
import { servedAt, serviceHandlers } from './handlers/service.ts';
import { storageHandlers } from './handlers/storage.ts';
import { seldom, storeHandlers } from './handlers/store.ts';
import { throughputHandlers } from './handlers/throughput.ts';
import { versionHandlers } from './handlers/versions.ts';
import type { DaemonMetrics } from './metrics.ts';
import type { Restores } from './restores.ts';
import { NO_JOBS } from './store-only.ts';
import type { Streams } from './streams.ts';

export interface HandlerParts extends DaemonParts, ComposedJobs {
  readonly alerts: JobAlerts;
  readonly metrics: DaemonMetrics;
  readonly restores: Restores;
  readonly streams: Streams;
  readonly startedAt: number;
  /** Begins to stop the daemon. */
  readonly stop: (reason: string) => void;
}

export function composeHandlers(parts: HandlerParts): ControlHandlers {
  const { rooms, jobs, settings, log, clock, streams, metrics } = parts;
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
    ...throughputHandlers(jobs, parts.throughput),
    ...alertHandlers(parts.alerts, jobs),
    ...conflictHandlers({ jobs, streams, clock }),
    ...jobLockHandlers({ jobs, metrics: rooms.metrics, ownFolders: parts.home.ownFolders }),
    ...atTarget(placesOf(rooms, settings), placeHandlers(parts)),
    ...quotaHandlers(rooms.quotas, {
      own: rooms.principal,
      check: (project) => void rooms.identity.projects.getProject(project),
    }),
    ...clusterHandlers(rooms.clusters),
    ...storeHandlers(rooms.upkeep, storeProgress(parts), () => jobs.clockChanged()),
    ...monitoringHandlers({ ...rooms, prometheus: metrics.text }),
    ...restoreHandlers(parts),
    ...proofHandlers({ jobs, streams, clock }),
    ...historyHandlers({ ...parts, logger: log }),
  };
}

/** Returns the handlers of methods on a store that the `target` parameter selects. */
function placeHandlers({ rooms, config, events, streams, log, clock }: HandlerParts) {
  return {
    ...accessHandlers(rooms.identity.grantees),
    ...storageHandlers(streams, log),
    ...encryptionHandlers(),
    ...linkHandlers({ ...rooms, clock }),
    ...lockHandlers({ clock, quotas: config.storage.quotas }),
    ...versionHandlers(),
    ...browserHandlers(rooms),
    ...lifecycleHandlers(rooms),
    ...objectHandlers({
      logger: log,
      clock,
      tell: (id, { objects, sizeBytes: bytes }) =>
        events.append({ type: 'copy.progress', id, objects, bytes }),
    }),
  };
}

/** Returns the function that reports the progress of a check or repair as events. */
function storeProgress({ clock, events }: HandlerParts): Parameters<typeof storeHandlers>[1] {
  return seldom(clock, (id, progress) =>
    events.append({ type: 'store.progress', id, ...progress }),
  );
}

/** Returns what is wrong with the configuration, listeners, monitoring and the log. */
function warnings({ settings, rooms, log }: HandlerParts): string[] {
  return [
    ...settings.warnings(),
    ...rooms.storage.warnings(),
    ...rooms.monitoring.warnings(),
    ...[log.problem() ?? []].flat(),
  ];
}
