/** Implements the control methods for the locks that jobs set and renew. */

import { defined } from '../../../src/base/defined.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { BucketMetricsReader } from '../../../src/engine/reads/bucket-metrics.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { JOB_LOCK_METHODS } from '../../../src/control/methods/job-locks.ts';
import { type Exclusion, explainExclusion } from '../../../src/mirror/local/exclude.ts';
import { MirrorError } from '../../../src/mirror/model/mirror-error.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import type { Job } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { findSubject } from '../../jobs/subject.ts';
import type { BucketCount } from '../../usage/bucket-counts.ts';
import type { LockCounts } from '../../usage/lock-counts.ts';
import { reportsOf, summaryOf, unopened } from './lock-summary.ts';

type JobLockMethod = keyof typeof JOB_LOCK_METHODS;

interface JobLockHandlerOptions {
  readonly jobs: Jobs;
  readonly metrics: Pick<BucketMetricsReader, 'lockable'>;
  /** Returns the lock counts of a bucket in the embedded store. If the bucket must be counted again, starts a count. */
  readonly countLocks: (bucket: string) => BucketCount<LockCounts>;
  /** The folders of Holdfast itself. No job backs them up. */
  readonly ownFolders: readonly string[];
}

export function jobLockHandlers({
  jobs,
  metrics,
  countLocks,
  ownFolders,
}: JobLockHandlerOptions): Pick<ControlHandlers, JobLockMethod> {
  return {
    'jobs.locks': async ({ name }) => {
      const { status, days, retained } = (await jobs.get(name).mirror()).locks.report();
      return defined({ locks: status, days: [...days], retained: [...retained] });
    },
    'locks.summary': async () =>
      summaryOf(reportsOf(jobs), {
        lockable: metrics
          .lockable()
          .map((bucket) => Object.assign({ count: countLocks(bucket.name) }, bucket)),
        unopened: unopened(jobs),
      }),
    'jobs.why': async (subject, { signal }) => {
      const { job, path } = findSubject(jobs, subject);
      if (path === undefined) {
        const hint = 'name one file: holdfast lock why ~/Documents/plan.txt';
        throw new ControlError('BadRequest', 'cannot explain the locks of a whole job', { hint });
      }
      const { locks } = await job.mirror();
      const excluded = excludedBy(job, path, ownFolders);
      const { key: _, ...reasons } = await locks.why(path, signal).catch((error: unknown) => {
        throw excluded ? notBackedUp(error, job, { ...excluded, path }) : error;
      });
      return { job: job.config.name, path, ...reasons, ...defined({ excluded }) };
    },
    'jobs.explain': async (subject) => {
      const { job, path = '' } = findSubject(jobs, subject);
      const excluded = path === '' ? undefined : excludedBy(job, path, ownFolders);
      const problem = job.opened?.problems.messageOf(path);
      return { job: job.config.name, path, ...defined({ excluded, problem }) };
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

type Excluded = NonNullable<Result<'jobs.explain'>['excluded']>;

/** Returns the rule that excludes a path of the job. Returns undefined if the path is not excluded. */
function excludedBy(
  { config }: Pick<Job, 'config'>,
  path: string,
  protectedFolders: readonly string[],
): Excluded | undefined {
  const { folder: root, exclude: patterns, cacheDirs } = config;
  const exclusion = explainExclusion({ root, patterns, cacheDirs, protectedFolders }, path);
  if (!exclusion) return undefined;
  const file = 'file' in exclusion ? `${root}/${exclusion.file}` : undefined;
  const isItself = exclusion.path === path;
  const what = isItself ? 'excluded' : `in the folder ${exclusion.path}, which is excluded`;
  const { path: matched, by: _, ...rule } = exclusion;
  const reason = `${what} ${ruleText(exclusion, root)}`;
  return { path: matched, ...rule, reason, ...defined({ file, hint: hintOf(exclusion, config) }) };
}

function hintOf(rule: Exclusion, { name, folder }: Job['config']): string | undefined {
  if (rule.by === 'job')
    return `to include it, change the patterns: holdfast job edit ${name} 'exclude=[…]'`;
  if (rule.by === 'rules') return `to include it, change ${folder}/${rule.file}`;
  if (rule.by === 'cache')
    return `to include such folders: holdfast job edit ${name} cacheDirs=keep`;
  return undefined;
}

function ruleText(rule: Exclusion, root: string): string {
  if (rule.by === 'own') return 'because it belongs to Holdfast';
  if (rule.by === 'cache') return `because ${root}/${rule.file} marks a cache`;
  const place =
    rule.by === 'job'
      ? '`exclude` of the job (config.yaml)'
      : `line ${rule.line} of ${root}/${rule.file}`;
  return `by the pattern "${rule.pattern}" in ${place}`;
}

/** Returns the error for an excluded path that has no object. Returns any other error unchanged. */
function notBackedUp(
  error: unknown,
  { config: { name } }: Pick<Job, 'config'>,
  { path, reason, hint }: Excluded,
): unknown {
  if (!(error instanceof MirrorError && error.code === 'NotMirrored')) return error;
  const message = `job ${name} does not back up ${path}: it is ${reason}`;
  return new ControlError('NotFound', message, { hint });
}

/**
 * Returns the paths relative to the job's folder. Throws ControlError `BadRequest` for a path outside the
 * folder.
 */
function pathsIn(jobs: Jobs, name: string, paths: readonly string[]): readonly string[] {
  return paths.map((typed) => {
    const { job, path } = findSubject(jobs, { job: typed, path: typed });
    if (job.config.name === name && path !== undefined) return path;
    throw new ControlError(
      'BadRequest',
      `${typed} is outside ${jobs.get(name).config.folder}, the folder of job ${name}`,
    );
  });
}
