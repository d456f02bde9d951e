/** Control methods on paths that a job found changed on both sides. */

import { defined } from '../../src/base/defined.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { ControlHandlers } from '../control-server.ts';
import type { Jobs } from '../jobs.ts';
import { findSubject } from '../subject.ts';

type ConflictMethods = 'conflicts.list' | 'conflicts.show' | 'conflicts.resolve';

export function conflictHandlers(jobs: Jobs): Pick<ControlHandlers, ConflictMethods> {
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
          `show conflicts of ${job.config.folder}: which path?`,
          {
            hint: `holdfast conflicts list ${job.config.name}`,
          },
        );
      const { conflicts } = await job.mirror();
      return { job: job.config.name, path, conflicts: [...conflicts.show(path)] };
    },
    'conflicts.resolve': async ({ job: name, keep, patterns, dryRun }) => {
      const { job } = findSubject(jobs, defined({ job: name }));
      const { conflicts } = await job.mirror();
      const within = patterns?.map((each) => belowFolder(each, job.config.folder));
      const report = await conflicts.resolve({ keep, dryRun, ...defined({ patterns: within }) });
      const { steps, waiting } = report;
      return { ...report, job: job.config.name, steps: [...steps], waiting: [...waiting] };
    },
  };
}

/** What a shell made of `~/notes/a*`: a pattern that begins at the folder, which is a `/` of its own. */
function belowFolder(pattern: string, folder: string): string {
  return pattern.startsWith(`${folder}/`) ? pattern.slice(folder.length) : pattern;
}
