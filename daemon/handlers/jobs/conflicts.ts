/** Implements the control methods for conflicts. */

import { unlessAborted } from '../../../src/base/abortable.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import { type Side, sidesOf } from '../../../src/mirror/conflicts/conflict-sides.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Streams } from '../../control/streams.ts';
import { findSubject } from '../../jobs/subject.ts';

type ConflictMethods =
  | 'conflicts.list'
  | 'conflicts.show'
  | 'conflicts.sides'
  | 'conflicts.resolve';

export interface ConflictHandlerOptions {
  readonly jobs: Jobs;
  readonly streams: Pick<Streams, 'offerDownload'>;
  readonly clock: Clock;
}

export function conflictHandlers({
  jobs,
  streams,
  clock,
}: ConflictHandlerOptions): Pick<ControlHandlers, ConflictMethods> {
  const answerOf = ({ read, ...side }: Side, previewBytes: number | undefined) => {
    const wanted = previewBytes === undefined ? undefined : read?.(previewBytes);
    return { ...side, ...defined({ stream: wanted && streams.offerDownload(wanted) }) };
  };
  return {
    'conflicts.list': async ({ job, after, limit, all }) => {
      const { conflicts } = await jobs.get(job).mirror();
      const page = conflicts.list({ limit, resolved: all, ...defined({ after }) });
      return { ...page, conflicts: [...page.conflicts] };
    },
    'conflicts.show': async (subject) => {
      const { job, path } = findSubject(jobs, subject);
      if (path === undefined)
        throw new ControlError(
          'BadRequest',
          `cannot show the conflicts of the whole folder ${job.config.folder}: name one file`,
          {
            hint: `to list all conflicts: holdfast conflict list ${job.config.name}`,
          },
        );
      const { conflicts } = await job.mirror();
      return { job: job.config.name, path, conflicts: [...conflicts.show(path)] };
    },
    'conflicts.sides': async ({ job: name, path, id, previewBytes }, { signal }) => {
      const job = jobs.get(name);
      const { bucket, prefix, folder: root } = job.config;
      const { conflicts, provenance } = await job.mirror();
      const known = conflicts.show(path);
      const conflict = known.find((each) => each.id === id);
      if (!conflict)
        throw new ControlError('NotFound', `job ${name} has no unresolved conflict at ${path}`);
      const destination = { store: job.store(), bucket, prefix, provenance, root, clock, signal };
      const { local, remote } = await sidesOf(conflict, destination);
      return {
        conflict,
        local: answerOf(local, previewBytes),
        remote: answerOf(remote, previewBytes),
      };
    },
    'conflicts.resolve': async ({ job: name, keep, patterns, paths, dryRun }, { signal }) => {
      const { job } = findSubject(jobs, defined({ job: name }));
      const { conflicts } = await job.mirror();
      const within = patterns?.map((each) => belowFolder(each, job.config.folder));
      const which = defined({ patterns: within, paths });
      // The decision is already stored. It is carried out even if the caller stops waiting.
      const report = await unlessAborted(conflicts.resolve({ keep, dryRun, ...which }), signal);
      const { steps, waiting } = report;
      return { ...report, job: job.config.name, steps: [...steps], waiting: [...waiting] };
    },
  };
}

/**
 * Makes an absolute pattern relative to the job's folder, because a shell expands `~/notes/a*` to absolute paths. A
 * leading `/` in the result stands for the job's folder.
 */
function belowFolder(pattern: string, folder: string): string {
  return pattern.startsWith(`${folder}/`) ? pattern.slice(folder.length) : pattern;
}
