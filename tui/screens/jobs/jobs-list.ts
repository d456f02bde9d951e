/**
 * Defines the job lists: their sort orders, the text that a filter searches, and the texts that the
 * user can copy.
 */

import type { JobStatus } from '../../../src/control/shapes.ts';
import type { Copyable } from '../../ui/screen.ts';
import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { troubleOf } from './job-text.ts';

const NO_JOBS = 'no jobs; press n to create one';

/**
 * Returns the text of an empty job list. Before the first connection to the daemon, the jobs are
 * unknown.
 */
export function noJobsText({ status }: Ui): string {
  return status.current ? NO_JOBS : NOT_KNOWN;
}

export const NOT_KNOWN = 'not known yet';

export function jobList(ui: Ui): ListModel<JobStatus> {
  const byName = (a: JobStatus, b: JobStatus) => (a.name < b.name ? -1 : 1);
  const list = new ListModel<JobStatus>({
    changes: ui.changes,
    orders: [
      { name: 'configuration', compare: () => 0 },
      { name: 'name', compare: byName },
      { name: 'trouble', compare: (a, b) => troubleOf(a) - troubleOf(b) || byName(a, b) },
      { name: 'lag', compare: (a, b) => b.lagMs - a.lagMs || byName(a, b) },
      { name: 'size', compare: (a, b) => b.counts.bytes - a.counts.bytes || byName(a, b) },
    ],
  });
  // While the daemon is down, the texts of the states are longer, so the columns are measured again.
  ui.link.onState(() => {
    for (const widths of Object.values(list.measured)) widths.length = 0;
  });
  return list;
}

export function takeJobs(list: ListModel<JobStatus>, ui: Ui): void {
  list.showAll(
    ui.status.jobs,
    ({ name }) => name,
    ({ name, folder, bucket, target, state }) => `${name} ${folder} ${target}/${bucket} ${state}`,
  );
}

export function jobCopyables(job: JobStatus | undefined): readonly Copyable[] {
  if (!job) return [];
  const { name, folder, target, bucket, prefix } = job;
  return [
    { name: 'name', text: name },
    { name: 'folder', text: folder },
    { name: 'bucket', text: `${target}/${bucket}/${prefix}` },
    { name: 'JSON', text: JSON.stringify(job, undefined, 2) },
  ];
}
