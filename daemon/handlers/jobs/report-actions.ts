/**
 * Reports actions that users and programs have requested as activity: locks, legal holds, decisions about held changes,
 * restores and undos. Jobs report their own work themselves.
 */

import type { Clock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import { isAbort } from '../../../src/base/errors.ts';
import { failureReason } from '../../../src/base/disk-error.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import type { Activity } from '../../../src/mirror/model/tracker.ts';
import { bytesText, countText } from '../../../src/text/amounts.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { CallContext, ControlHandlers } from '../../control/control-handlers.ts';
import { findSubject, type JobList } from '../../jobs/subject.ts';
import type { JobConfig } from '../../../src/config/config.ts';

/** Reports an activity. The job's name is empty for an object or a bucket to which no job backs up. */
type Report = (job: string, activity: Activity) => void;

export interface ReportOptions {
  readonly jobs: JobList<{ readonly config: JobConfig }>;
  readonly report: Report;
  readonly grouped: GroupedReports;
}

type Reported =
  | 'retention.set'
  | 'hold.set'
  | 'locks.set'
  | 'jobs.approve'
  | 'jobs.reject'
  | 'jobs.release'
  | 'restore.run'
  | 'history.undo';

/** Returns handlers that do the same as the given handlers, and also report what they did. */
export function reportingHandlers(
  handlers: ControlHandlers,
  options: ReportOptions,
): Pick<ControlHandlers, Reported> {
  const { jobs, grouped } = options;
  const report = (job: string, action: string, message: string) =>
    options.report(job, { level: 'info', action, message });
  return {
    'retention.set': after(handlers['retention.set'], (params) => {
      const { mode, retainUntil } = params.retention;
      if (!params.dryRun) grouped.add(params, 'lock', `${mode} until ${minuteText(retainUntil)}`);
    }),
    'hold.set': after(handlers['hold.set'], (params) => {
      const what = params.legalHold ? 'legal hold placed' : 'legal hold removed';
      if (!params.dryRun) grouped.add(params, 'hold', what);
    }),
    'locks.set': after(handlers['locks.set'], (params) => report('', 'lock', defaultText(params))),
    'jobs.approve': after(handlers['jobs.approve'], ({ name }, decided) => {
      const text = decidedText(decided);
      if (text !== '') report(name, 'approve', `approved ${text}`);
    }),
    'jobs.reject': after(handlers['jobs.reject'], ({ name }, decided) => {
      const text = decidedText(decided);
      if (text !== '') report(name, 'reject', `rejected ${text}; the bucket stays as it is`);
    }),
    'jobs.release': after(handlers['jobs.release'], ({ job }, { versions }) =>
      report(job, 'release', `the locks of ${countText(versions, 'version')} are not renewed`),
    ),
    'restore.run': async (params, context) => {
      const jobName = () => subjectOf(jobs, params)?.job.config.name ?? '';
      const run = () => handlers['restore.run'](params, context);
      return reportingRun(run, { jobName, action: 'restore', at: params.at }, options.report);
    },
    'history.undo': async (params, context) => {
      const jobName = () => subjectOf(jobs, params)?.job.config.name ?? '';
      const run = () => handlers['history.undo'](params, context);
      const action = params.redo ? 'redo' : 'undo';
      return reportingRun(run, { jobName, action, at: params.at }, options.report);
    },
  };
}

/** Returns a handler that calls `say` after the given handler has succeeded. */
function after<P, R>(
  handle: (params: P, context: CallContext) => Promise<R>,
  say: (params: P, result: R) => void,
): (params: P, context: CallContext) => Promise<R> {
  return async (params, context) => {
    const result = await handle(params, context);
    say(params, result);
    return result;
  };
}

type DefaultLock = Pick<Params<'locks.set'>, 'bucket' | 'defaultRetention'>;

function defaultText({ bucket, defaultRetention }: DefaultLock): string {
  const bucketText = `default retention of bucket ${bucket}`;
  if (!defaultRetention) return `${bucketText}: removed`;
  const { mode, days, years } = defaultRetention;
  const period = days === undefined ? countText(years ?? 0, 'year') : countText(days, 'day');
  return `${bucketText}: ${mode} for ${period}`;
}

function decidedText({ deletes, overwrites, renames }: Result<'jobs.approve'>): string {
  const counts = [
    [deletes, 'delete'],
    [overwrites, 'overwrite'],
    [renames, 'rename'],
  ] as const;
  const words = counts.flatMap(([count, noun]) => (count > 0 ? [countText(count, noun)] : []));
  return words.join(', ');
}

/** Returns undefined if no job contains the object or the path, for example because the job was removed meanwhile. */
function subjectOf(jobs: ReportOptions['jobs'], asked: Parameters<typeof findSubject>[1]) {
  try {
    return findSubject(jobs, asked);
  } catch (error) {
    if (error instanceof ControlError) return undefined;
    throw error;
  }
}

interface RunSubject {
  readonly jobName: () => string;
  readonly action: string;
  readonly at: number | undefined;
}

/** Reports the result of a restore. A request that is refused before the restore starts is not reported. */
async function reportingRun<T extends Result<'restore.run'>>(
  run: () => Promise<T>,
  { jobName, action, at }: RunSubject,
  report: Report,
): Promise<T> {
  try {
    const result = await run();
    const { files, bytes, to, problemCount } = result;
    const when = at === undefined ? '' : `, as of ${minuteText(at)}`;
    const failed = problemCount > 0 ? `; ${countText(problemCount, 'problem')}` : '';
    const message = `${countText(files, 'file')}, ${bytesText(bytes)} to ${to}${when}${failed}`;
    report(jobName(), { level: problemCount > 0 ? 'warn' : 'info', action, message });
    return result;
  } catch (error) {
    if (isAbort(error)) report(jobName(), { level: 'warn', action, message: 'stopped' });
    else if (!(error instanceof ControlError))
      report(jobName(), { level: 'error', action, message: `failed: ${failureReason(error)}` });
    throw error;
  }
}

interface Group {
  readonly job: string;
  readonly action: string;
  readonly what: string;
  readonly path: string;
  readonly count: number;
  readonly cancel: () => void;
}

interface GroupedReportsOptions extends Pick<ReportOptions, 'jobs' | 'report'> {
  readonly clock: Clock;
}

type LockedObject = Pick<Params<'hold.set'>, 'bucket' | 'key' | 'target'>;

/**
 * Reports equal actions on many objects as one activity, because a user may lock thousands of objects at once. The
 * activity is reported one second after the last of these actions.
 */
export class GroupedReports {
  readonly #options: GroupedReportsOptions;
  readonly #groups = new Map<string, Group>();

  constructor(options: GroupedReportsOptions) {
    this.#options = options;
  }

  /** Reports all actions that are not reported yet. Must be called before the log is closed. */
  close(): void {
    for (const [id, { cancel }] of this.#groups) {
      cancel();
      this.#end(id);
    }
  }

  add(object: LockedObject, action: string, what: string): void {
    const { job, path } = this.#find(object);
    const id = [job, action, what].join('\0');
    const before = this.#groups.get(id);
    before?.cancel();
    const cancel = this.#options.clock.after(QUIET_MS, () => this.#end(id));
    this.#groups.set(id, { job, action, what, path, count: (before?.count ?? 0) + 1, cancel });
  }

  #end(id: string): void {
    const group = this.#groups.get(id);
    if (!group) return;
    this.#groups.delete(id);
    const { job, action, what, path, count } = group;
    const message = count === 1 ? what : `${countText(count, 'version')}: ${what}`;
    const one = defined({ path: count === 1 ? path : undefined });
    this.#options.report(job, { level: 'info', action, message, ...one });
  }

  /** Finds the job of an object, and its path in the folder of the job. */
  #find({ bucket, key, target }: LockedObject): { readonly job: string; readonly path: string } {
    const object = { bucket, key, ...defined({ target }) };
    const subject = subjectOf(this.#options.jobs, { object });
    if (!subject) return { job: '', path: `${bucket}/${key}` };
    return { job: subject.job.config.name, path: subject.path ?? key };
  }
}

const QUIET_MS = 1_000;
