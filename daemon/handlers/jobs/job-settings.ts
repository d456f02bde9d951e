/**
 * Implements the control methods that read, plan and change entries of jobs and targets in `config.yaml`. Comments and
 * the order of entries are preserved.
 */

import { defined } from '../../../src/base/defined.ts';
import type { ConfigProblem } from '../../../src/config/config-error.ts';
import {
  editJob,
  planJobAddition,
  planJobEdit,
  planTargetAddition,
} from '../../../src/config/edit.ts';
import { settingsOf } from '../../../src/config/job-entry.ts';
import { readConfigText } from '../../../src/config/load.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import { bucketExists, planAddition } from '../../settings/add-job.ts';
import { planTarget } from '../../settings/add-target.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Rooms } from '../../services/rooms.ts';
import type { Settings } from '../../settings/settings.ts';
import { changedLines } from '../../../src/text/line-diff.ts';

export interface JobSettingsOptions {
  readonly jobs: Jobs;
  readonly settings: Settings;
  readonly rooms: Rooms;
}

export function jobSettingsHandlers({
  jobs,
  settings,
  rooms,
}: JobSettingsOptions): Pick<
  ControlHandlers,
  'jobs.edit' | 'jobs.get' | 'jobs.plan' | 'targets.plan'
> {
  const { home } = settings;
  return {
    'jobs.plan': async (spec, { signal }) => {
      const addition = await planAddition(spec, { settings, rooms }, signal);
      if (addition.known) {
        const { name, bucket } = addition.known;
        const nothing = { notes: [], diff: [], problems: [] };
        return { name, bucket, bucketExists: true, existing: true, ...nothing };
      }
      const { job, notes, store } = addition;
      const { before, after, problems } = await planJobAddition(home, job);
      return {
        name: job.name,
        bucket: job.bucket,
        bucketExists: await bucketExists(job.bucket, store, signal),
        existing: false,
        notes: [...notes],
        diff: changedLines(before, after),
        problems: problems.map(problemOf),
      };
    },
    'targets.plan': async (spec) => {
      const { target, existing, credentialsFile } = planTarget(spec, settings);
      const { before, after, problems } = await planTargetAddition(home, target, existing);
      return {
        name: target.name,
        existing,
        credentialsFile,
        diff: changedLines(before, after),
        problems: problems.map(problemOf),
      };
    },
    'jobs.get': async ({ name }) => {
      jobs.get(name);
      const found = settingsOf(await readConfigText(home.configFile), name);
      if (!found) throw new ControlError('NotFound', `job ${name} is not in config.yaml any more`);
      return {
        name,
        settings: { ...found.settings },
        defaults: { ...found.defaults },
        options: [...found.options],
      };
    },
    'jobs.edit': async ({ name, changes, dryRun }) => {
      jobs.get(name);
      if (Object.hasOwn(changes, 'name'))
        throw new ControlError(
          'BadRequest',
          `cannot rename job ${name}: the name of a job cannot change`,
        );
      const { before, after, problems } = await planJobEdit(home, name, changes);
      const diff = changedLines(before, after);
      const isDone = !dryRun && problems.length === 0;
      if (isDone && diff.length > 0) await settings.edit((place) => editJob(place, name, changes));
      const job = isDone ? jobs.find((each) => each.name === name)?.status() : undefined;
      return { diff, problems: problems.map(problemOf), ...defined({ job }) };
    },
  };
}

/**
 * Converts a problem. `option` is the path within the entry, such as `lock.days` for `jobs[1].lock.days` or `region`
 * for `targets[0].region`.
 */
function problemOf({ path, line, message }: ConfigProblem) {
  const option = path?.replace(/^(?:jobs|targets)\[\d+\](?:\.also\[\d+\])?\.?/, '');
  return defined({ option: option === '' ? undefined : option, line, message });
}
