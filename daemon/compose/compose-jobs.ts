/** Connects the jobs of the daemon with its configuration. A change of `config.yaml` starts, changes or ends jobs. */

import type { Clock } from '../../src/base/clock.ts';
import { GroupedReports } from '../handlers/jobs/report-actions.ts';
import { defined } from '../../src/base/defined.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Config } from '../../src/config/config.ts';
import type { Home } from '../../src/config/home.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import type { Activity } from '../../src/mirror/model/tracker.ts';
import type { EventLog } from '../control/event-log.ts';
import { Jobs } from '../jobs/jobs.ts';
import { LateJobs } from '../jobs/late-jobs.ts';
import type { DaemonLog } from '../log/log.ts';
import { Throughput } from '../meter/throughput.ts';
import { SeriesRecorder } from '../metrics/series-recorder.ts';
import type { Rooms } from '../services/rooms.ts';
import { type Reloaded, Settings } from '../settings/settings.ts';
import { checkNoJobs } from '../settings/store-only.ts';

export interface DaemonParts {
  /** Whether the daemon runs without jobs, as `holdfast s3 serve` does. */
  readonly storeOnly: boolean;
  readonly home: Home;
  readonly config: Config;
  /** The text of `config.yaml` from which `config` was parsed. */
  readonly text: string;
  readonly clock: Clock;
  readonly events: EventLog;
  readonly log: DaemonLog;
  readonly rooms: Rooms;
}

export interface ComposedJobs {
  readonly jobs: Jobs;
  readonly throughput: Throughput;
  readonly recorder: SeriesRecorder;
  readonly settings: Settings;
  /**
   * Reports an action that a user requested: sends it to the clients, and logs it so that the dashboard can show it
   * after a restart.
   */
  readonly reportAction: (job: string, activity: Activity) => void;
  readonly grouped: GroupedReports;
  /** Reads and applies `config.yaml` again. Rejects with ConfigError. */
  readonly reload: () => Promise<Reloaded & { readonly warnings: readonly string[] }>;
}

/** Creates the jobs and settings. No job runs before `settings.apply` is called. */
export function composeJobs(parts: DaemonParts): ComposedJobs {
  const { storeOnly, home, config, text, clock, events, log, rooms } = parts;
  const mirrorLog = log.area('mirror');
  const reportTransfers = (name: string) => {
    const job = jobs.find((each) => each.name === name);
    if (!job) return false;
    const { scan, reading } = job;
    const { files: scanned, expected } = scan ?? {};
    const transfers = job.transfers();
    const body = {
      job: name,
      ...transfers,
      ...defined({ progress: job.progress(), scanned, expected, reading }),
    };
    events.appendNewest(`transfers of ${name}`, { type: 'job.transfers', ...body });
    return transfers.count > 0 || scanned !== undefined || reading !== undefined;
  };
  const sendActivity = (job: string, activity: Activity) =>
    void events.append({ type: 'activity', job, ...activity });
  const reportAction = (job: string, activity: Activity) => {
    sendActivity(job, activity);
    logActivity(mirrorLog, job, activity);
  };
  const throughput = new Throughput({ clock, events, reportTransfers });
  const reportStatus = (job: JobStatus) => {
    events.appendNewest(`status of ${job.name}`, { type: 'job.changed', job });
    late.reported(job);
  };
  const late = new LateJobs(clock, (name) => {
    const job = jobs.find((each) => each.name === name);
    if (job) reportStatus(job.status());
  });
  const jobs = new Jobs({
    throughput,
    rooms,
    clock,
    logger: log,
    onChange: (job) => {
      reportStatus(job);
      if (!job.inSync) throughput.moved(job.name);
    },
    onActivity: (job, activity) => {
      throughput.noteActivity(activity);
      if (activity.path === undefined) reportAction(job, activity);
      else sendActivity(job, activity);
    },
    provenDays: () => settings.current().alerts.provenDays,
    onRemoved: (name) => {
      recorder.forgetJob(name);
      events.append({ type: 'job.removed', name });
    },
  });
  const recorder = new SeriesRecorder({
    recent: rooms.monitoring.recent,
    transferred: () => throughput.transferred(),
    lags: () => jobs.status(),
    buckets: rooms.metrics,
    clock,
    logger: log,
  });
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
    const warnings = settings.warnings();
    log.info({ jobs: reloaded.jobs, warnings }, 'daemon: reloaded config.yaml');
    return { ...reloaded, warnings };
  };
  const grouped = new GroupedReports({ jobs, clock, report: reportAction });
  return { jobs, throughput, recorder, settings, reload, reportAction, grouped };
}

/**
 * Logs an activity. The dashboard reads the fields of the line (see `logged-activity.ts`). The work of a job on a single
 * path is not logged, because there may be millions of paths.
 */
function logActivity(log: Logger, job: string, { level, action, path, message }: Activity): void {
  log[level](defined({ job, action, path }), message);
}
