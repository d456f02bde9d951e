/** Implements the control methods on the locks that jobs set and renew. */

import { defined } from '../../src/base/defined.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { BucketMetricsReader } from '../../src/engine/reads/bucket-metrics.ts';
import type { JOB_LOCK_METHODS } from '../../src/control/methods/job-locks.ts';
import type { ControlHandlers } from '../control-server.ts';
import type { Jobs } from '../jobs.ts';
import { findSubject } from '../subject.ts';
import { reportsOf, summaryOf, unopened } from './lock-summary.ts';

type JobLockMethod = keyof typeof JOB_LOCK_METHODS;

export function jobLockHandlers(
  jobs: Jobs,
  metrics: Pick<BucketMetricsReader, 'lockable'>,
): Pick<ControlHandlers, JobLockMethod> {
  return {
    'jobs.locks': async ({ name }) => {
      const { status, days, retained } = (await jobs.get(name).mirror()).locks.report();
      return defined({ locks: status, days: [...days], retained: [...retained] });
    },
    'locks.summary': async () =>
      summaryOf(reportsOf(jobs), { lockable: metrics.lockable(), unopened: unopened(jobs) }),
    'jobs.why': async (subject, { signal }) => {
      const { job, path } = findSubject(jobs, subject);
      if (path === undefined) {
        const hint = 'name one file: holdfast lock why ~/Documents/plan.txt';
        throw new ControlError('BadRequest', 'cannot explain the locks of a whole job', { hint });
      }
      const { locks } = await job.mirror();
      const { key: _, ...reasons } = await locks.why(path, signal);
      return { job: job.config.name, path, ...reasons };
    },
    'jobs.release': async ({ job: name, paths }) => {
      const { locks } = await jobs.get(name).mirror();
      const released = pathsIn(jobs, name, paths).map((path) => locks.release(path));
      const some = released.filter(({ versions }) => versions > 0);
      const versions = some.reduce((sum, each) => sum + each.versions, 0);
      if (some.length === 0) {
        const hint = `to see which lock a file has: holdfast lock why ${paths[0]}`;
        const message = `nothing to release: job ${name} renews no lock of ${paths.join(', ')}`;
        throw new ControlError('NotFound', message, { hint });
      }
      const firstEnd = Math.min(...some.map((each) => each.firstEnd ?? 0));
      return { versions, firstEnd, lastEnd: Math.max(...some.map((each) => each.lastEnd ?? 0)) };
    },
    'jobs.forget': async ({ job: name, paths }) => {
      const { locks } = await jobs.get(name).mirror();
      const forgotten = pathsIn(jobs, name, paths).map((path) => locks.forget(path));
      return { objects: forgotten.reduce((sum, { objects }) => sum + objects, 0) };
    },
  };
}

/** Returns the paths relative to the job's folder. Throws ControlError `BadRequest` for a path outside of it. */
function pathsIn(jobs: Jobs, name: string, paths: readonly string[]): readonly string[] {
  return paths.map((typed) => {
    const { job, path } = findSubject(jobs, { job: typed, path: typed });
    if (job.config.name === name && path !== undefined) return path;
    throw new ControlError(
      'BadRequest',
      `find ${typed}: it is not within the folder of job ${name}, ${jobs.get(name).config.folder}`,
    );
  });
}
