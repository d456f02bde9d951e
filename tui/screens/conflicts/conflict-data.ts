/** Loads the conflicts of all jobs in pages, and both sides of a single conflict. */

import type { Params, Result } from '../../../src/control/messages.ts';
import { defined } from '../../../src/base/defined.ts';
import { errorMessage, isAbort } from '../../../src/base/errors.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Page } from '../../data/row-source.ts';

export type Conflict = Result<'conflicts.list'>['conflicts'][number];
export type Answer = Params<'conflicts.resolve'>['keep'];
export type Step = Result<'conflicts.resolve'>['steps'][number]['does'];
type Side = Result<'conflicts.sides'>['local'];

export interface ConflictRow extends Conflict {
  readonly job: string;
}

/** The possible resolutions of a conflict, with the names that the command line uses. */
export const ANSWERS: readonly Answer[] = ['local', 'remote', 'both'];

/** The names of the resolutions that the dashboard shows. The configuration calls the bucket `remote`. */
export const ANSWER_NAMES: Readonly<Record<Answer, string>> = {
  local: 'local',
  remote: 'bucket',
  both: 'both',
};

const PAGE = 500;

/** The position of the next page: a job, and the last path of this job that was loaded. */
export interface ConflictCursor {
  readonly job: string;
  readonly after?: string | undefined;
}

export interface ConflictPages {
  readonly jobs: () => readonly string[];
  /** Returns whether the list includes resolved conflicts. */
  readonly all: () => boolean;
  /** Called for a job whose conflicts cannot be loaded. The conflicts of the other jobs are still loaded. */
  readonly onUnread: (job: string, why: string) => void;
}

/** Loads a page of conflicts. It goes through the jobs in order until the page is full. */
export async function conflictPage(
  ui: Ui,
  { jobs, all, onUnread }: ConflictPages,
  cursor: ConflictCursor | undefined,
  signal: AbortSignal,
): Promise<Page<ConflictRow, ConflictCursor>> {
  const names = jobs();
  const rows: ConflictRow[] = [];
  let at = cursor ?? firstOf(names);
  while (at && rows.length < PAGE) {
    const { job, after } = at;
    const asked = { job, limit: PAGE, all: all(), ...defined({ after }) };
    const page = await readPage(ui, asked, signal);
    if (typeof page === 'string') onUnread(job, page);
    else rows.push(...page.rows);
    const isOver = typeof page === 'string' || page.after === undefined;
    at = isOver ? firstOf(names.slice(names.indexOf(job) + 1)) : { job, after: page.after };
  }
  return { rows, next: at };
}

function firstOf([job]: readonly string[]): ConflictCursor | undefined {
  return job === undefined ? undefined : { job };
}

/**
 * Reads a page of one job's conflicts. If this fails, returns the reason, so that the conflicts of other jobs are still
 * shown.
 */
async function readPage(
  ui: Ui,
  asked: Params<'conflicts.list'>,
  signal: AbortSignal,
): Promise<
  { readonly rows: readonly ConflictRow[]; readonly after?: string | undefined } | string
> {
  try {
    const { conflicts, next } = await ui.call('conflicts.list', asked, { signal });
    return { rows: conflicts.map((each) => Object.assign({ job: asked.job }, each)), after: next };
  } catch (error) {
    if (isAbort(error) || !ui.link.isUp) throw error;
    return errorMessage(error);
  }
}

/** Returns a row id that distinguishes several conflicts of one path. */
export function idOf({ job, path, id }: Pick<ConflictRow, 'job' | 'path' | 'id'>): string {
  return `${job}\0${path}\0${id}`;
}

export interface ConflictSides {
  readonly local: Side;
  readonly remote: Side;
  /** The effect of each possible resolution. Empty if the conflict is resolved. */
  readonly steps: Readonly<Partial<Record<Answer, Step>>>;
}

export async function readSides(
  ui: Ui,
  { job, path, id, state }: ConflictRow,
  signal: AbortSignal,
): Promise<ConflictSides> {
  const { local, remote } = await ui.call('conflicts.sides', { job, path, id }, { signal });
  const steps: Partial<Record<Answer, Step>> = {};
  for (const keep of state === 'resolved' ? [] : ANSWERS) {
    const asked = { job, keep, paths: [path], dryRun: true };
    const [step] = (await ui.call('conflicts.resolve', asked, { signal })).steps;
    if (step) steps[keep] = step.does;
  }
  return { local, remote, steps };
}
