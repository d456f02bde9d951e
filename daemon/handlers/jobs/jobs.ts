/**
 * Implements the control methods for jobs. A method that changes the configuration edits `config.yaml`, and the
 * daemon applies the difference.
 */

import type { Clock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import { addJob, removeJob, setJobPaused } from '../../../src/config/edit.ts';
import { planAddition } from '../../settings/add-job.ts';
import { releaseClaims, lockNotes, takeOverPlace } from '../../jobs/job-claims.ts';
import type { Rooms } from '../../services/rooms.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Settings } from '../../settings/settings.ts';

type JobMethods =
  | 'jobs.add'
  | 'jobs.remove'
  | 'jobs.takeOver'
  | 'jobs.pause'
  | 'jobs.resume'
  | 'jobs.run'
  | 'jobs.history'
  | 'jobs.queue'
  | 'jobs.keep'
  | 'jobs.keep.preview'
  | 'jobs.settled';

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
      const addition = await planAddition(spec, { settings, rooms }, signal);
      const { name } = addition.known ?? addition.job;
      if (!addition.known) await settings.edit((home) => addJob(home, addition.job));
      const notes = addition.known ? [] : [...addition.notes];
      if (spec.takeOver) {
        await takeOverPlace(jobs.get(name), signal);
        notes.push(...(await lockNotes(jobs.get(name), signal)));
      }
      return { job: statusOf(name), existing: addition.known !== undefined, notes };
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
    'jobs.keep': async ({ name, dryRun }, { signal }) =>
      (await jobs.get(name).mirror()).pruning.run({ dryRun, signal }),
    'jobs.keep.preview': async ({ name, rules }, { signal }) => {
      const { pruning } = await jobs.get(name).mirror();
      const preview = await pruning.preview(rules, signal);
      return { ...preview, rules: [...preview.rules] };
    },
    'jobs.settled': async ({ name }, { signal }) => {
      const startedAt = clock.monotonic();
      await jobs.get(name).settled(signal);
      return { job: statusOf(name), seconds: (clock.monotonic() - startedAt) / 1000 };
    },
  };
}
