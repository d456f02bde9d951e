/**
 * Implements the control methods on jobs and targets. Methods that change the configuration edit `config.yaml`, and the
 * daemon applies the difference.
 */

import type { Clock } from '../../src/base/clock.ts';
import { DAY_MS } from '../../src/base/durations.ts';
import { defined } from '../../src/base/defined.ts';
import { parseStorageId } from '../../src/base/principal.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { addJob, removeJob, setJobPaused } from '../../src/config/edit.ts';
import { existingJob, planJob } from '../add-job.ts';
import { releaseClaims, takeOverPlace } from '../job-claims.ts';
import { storeTarget } from '../add-target.ts';
import { forgetTarget } from '../remove-target.ts';
import { renameTarget } from '../rename-target.ts';
import type { Rooms } from '../rooms.ts';
import type { ControlHandlers } from '../control-server.ts';
import type { Jobs } from '../jobs.ts';
import type { Settings } from '../settings.ts';

type JobMethods =
  | 'jobs.add'
  | 'jobs.remove'
  | 'jobs.takeOver'
  | 'jobs.pause'
  | 'jobs.resume'
  | 'jobs.run'
  | 'jobs.history'
  | 'jobs.queue'
  | 'jobs.review'
  | 'jobs.approve'
  | 'jobs.reject'
  | 'jobs.keep'
  | 'jobs.acknowledge'
  | 'jobs.acceptRoot'
  | 'jobs.settled'
  | 'targets.add'
  | 'targets.list'
  | 'targets.remove'
  | 'targets.rename'
  | 'targets.whoami';

export interface JobHandlerOptions {
  readonly jobs: Jobs;
  readonly rooms: Rooms;
  readonly settings: Settings;
  readonly clock: Clock;
}

export function jobHandlers(options: JobHandlerOptions): Pick<ControlHandlers, JobMethods> {
  const { jobs, rooms, settings, clock } = options;
  const statusOf = (name: string) => jobs.get(name).status();
  const setPaused = async (name: string, paused: boolean) => {
    jobs.get(name);
    await settings.edit((home) => setJobPaused(home, name, paused));
    return statusOf(name);
  };
  return {
    'jobs.add': async (spec, { signal }) => {
      const config = settings.current();
      const known = existingJob(spec, config);
      if (known) {
        if (spec.takeOver) await takeOverPlace(jobs.get(known.name), signal);
        return { job: statusOf(known.name), existing: true, notes: [] };
      }
      const store = rooms.storeOf(settings.target(spec.target));
      const { job, notes } = await planJob(spec, {
        home: settings.home,
        config,
        store,
        hostId: rooms.hostId,
        signal,
      });
      await settings.edit((home) => addJob(home, job));
      if (spec.takeOver) await takeOverPlace(jobs.get(job.name), signal);
      return { job: statusOf(job.name), existing: false, notes: [...notes] };
    },
    'targets.add': ({ accessKeyId, secretAccessKey, bucket, prefix = '', ...spec }) =>
      storeTarget(spec, {
        key: { accessKeyId, secretAccessKey },
        ...(bucket !== undefined && { place: { bucket, prefix } }),
        rooms,
        settings,
      }),
    'targets.list': async () => {
      const config = settings.current();
      const targets = config.targets.map((target) => {
        const { name, endpoint, region } = target;
        const protocol = rooms.protocolOf(target);
        const own = config.jobs.filter((job) => job.target === name);
        return defined({ name, endpoint, region, protocol, jobs: own.map((job) => job.name) });
      });
      return { targets };
    },
    'targets.remove': async ({ name }) => defined({ keyFile: await forgetTarget(settings, name) }),
    'targets.rename': ({ name, newName }) => renameTarget(settings, name, newName),
    'targets.whoami': async ({ name }) => {
      const target = settings.target(name);
      if (!target)
        throw new ControlError('BadRequest', `cannot test ${name}: it is the embedded store`);
      const { endpoint, region } = target;
      const { accessKeyId, owner } = await rooms.whoIsAt(target);
      const protocol = rooms.protocolOf(target);
      const names = parseStorageId(owner ?? accessKeyId);
      return defined({ name, endpoint, region, protocol, accessKeyId, owner, ...names });
    },
    'jobs.remove': async ({ name }, { signal }) => {
      const removed = jobs.withTargets(name);
      await settings.edit((home) => removeJob(home, name));
      const { notes = [] } = await releaseClaims(removed, { hostId: rooms.hostId, clock, signal });
      const all = [...jobs.notesOn(removed), ...notes];
      return all.length > 0 ? { notes: all } : {};
    },
    'jobs.takeOver': async ({ name }, { signal }) => {
      const from = await takeOverPlace(jobs.get(name), signal);
      return { job: statusOf(name), ...defined({ from }) };
    },
    'jobs.pause': ({ name }) => setPaused(name, true),
    'jobs.resume': ({ name }) => setPaused(name, false),
    'jobs.run': async ({ name }) => {
      await jobs.get(name).runNow();
      return statusOf(name);
    },
    'jobs.history': async ({ name, ...page }) => {
      const { work } = await jobs.get(name).mirror();
      return { rounds: [...work.rounds(defined(page))] };
    },
    'jobs.queue': async ({ name, ...page }) => {
      const { work } = await jobs.get(name).mirror();
      const { rows, next } = work.queue(defined(page));
      return { rows: [...rows], counts: work.queueCounts(), ...defined({ next }) };
    },
    'jobs.review': async ({ name, after, limit }) => {
      const { heldChanges } = await jobs.get(name).mirror();
      const page = heldChanges.review(defined({ after, limit }));
      return { ...page, changes: [...page.changes] };
    },
    'jobs.approve': async ({ name, digest }) => {
      const { heldChanges } = await jobs.get(name).mirror();
      return heldChanges.approve(digest);
    },
    'jobs.reject': async ({ name }) => {
      const { heldChanges } = await jobs.get(name).mirror();
      return heldChanges.reject();
    },
    'jobs.keep': async ({ name, dryRun }, { signal }) =>
      (await jobs.get(name).mirror()).pruning.run({ dryRun, signal }),
    'jobs.acknowledge': async ({ name, path, acknowledgement }) => {
      const { problems } = await jobs.get(name).mirror();
      const until = acknowledgement?.until ?? 0;
      if (until > clock.now() + 365 * DAY_MS)
        throw new ControlError(
          'BadRequest',
          'cannot acknowledge the problem: the maximum is 365 days',
        );
      const isFound = acknowledgement
        ? problems.acknowledge(path, acknowledgement)
        : problems.withdraw(path);
      if (isFound) return statusOf(name);
      const what = acknowledgement ? 'problem' : 'acknowledged problem';
      throw new ControlError('NotFound', `job ${name} has no ${what} at ${path}`, {
        hint: `to list its problems: holdfast job show ${name}`,
      });
    },
    'jobs.acceptRoot': async ({ name }) => {
      (await jobs.get(name).mirror()).acceptRoot();
      return statusOf(name);
    },
    'jobs.settled': async ({ name }, { signal }) => {
      const startedAt = clock.monotonic();
      await jobs.get(name).settled(signal);
      return { job: statusOf(name), seconds: (clock.monotonic() - startedAt) / 1000 };
    },
  };
}
