/**
 * Resolves conflicts. It shows the effect of a resolution, applies the resolution job by job, and lists the conflicts
 * that remain unresolved.
 */

import type { Result } from '../../../src/control/messages.ts';
import { isAbort } from '../../../src/base/errors.ts';
import type { Ui, Work } from '../../ui/ui.ts';
import { TextBox } from '../../widgets/text-box.ts';
import type { Question } from '../../commands/command.ts';
import { bytesText, countText, numberText } from '../../../src/text/amounts.ts';
import { dayText } from '../../../src/text/time.ts';
import { sizesOf, STEPS, stepText } from './columns.ts';
import { ANSWER_NAMES } from './conflict-data.ts';
import type { Answer, ConflictRow } from './conflict-data.ts';

type Report = Result<'conflicts.resolve'>;

/** The maximum number of paths in one request. */
const PATHS_AT_ONCE = 1_000;

interface Batch {
  readonly job: string;
  readonly paths: readonly string[];
}

/** Groups the conflicts by job and path, because a resolution applies to all conflicts of a path. */
export function batchesOf(rows: readonly ConflictRow[]): readonly Batch[] {
  const byJob = new Map<string, Set<string>>();
  for (const { job, path } of rows) {
    const paths = byJob.get(job) ?? new Set();
    byJob.set(job, paths.add(path));
  }
  return [...byJob].flatMap(([job, set]) => {
    const paths = [...set];
    const count = Math.ceil(paths.length / PATHS_AT_ONCE);
    return Array.from({ length: count }, (_, index) => {
      return { job, paths: paths.slice(index * PATHS_AT_ONCE, (index + 1) * PATHS_AT_ONCE) };
    });
  });
}

const TITLES: Readonly<Record<Answer, string>> = {
  local: 'Keep the local file',
  remote: "Keep the bucket's object",
  both: 'Keep both',
};

/**
 * Returns the question with the current effect of the resolution. It also counts conflicts that were resolved in the
 * meantime.
 */
export async function askResolve(
  ui: Ui,
  { keep, rows }: Pick<Batches, 'keep' | 'rows'>,
  signal?: AbortSignal,
): Promise<Question> {
  const reports = await inBatches(ui, { keep, rows, dryRun: true, signal });
  const matched = reports.reduce((sum, report) => sum + report.matched, 0);
  const does = STEPS.flatMap((step) => {
    const count = reports.reduce((sum, { counts }) => sum + counts[step], 0);
    const which = matched === 1 ? '' : `${numberText(count)}: `;
    const text = stepText(step, keep);
    const sentence = which === '' ? text.charAt(0).toUpperCase() + text.slice(1) : text;
    return count === 0 ? [] : [`${which}${sentence}.`];
  });
  const gone = new Set(rows.map(({ job, path }) => `${job}\0${path}`)).size - matched;
  return {
    title: `${TITLES[keep]} in ${countText(matched, 'conflict')}?`,
    facts: [
      ...(rows.length === 1 ? rows.map(({ job, path }) => ui.look.name(`${job}: ${path}`)) : []),
      ...does,
      ...asideFacts(keep, rows),
      ...retentionFacts(rows),
      ...(gone > 0
        ? [
            `${numberText(gone)} of the chosen conflicts ${gone === 1 ? 'was' : 'were'} resolved in the meantime.`,
          ]
        : []),
      'Nothing is lost: replaced content stays in the bucket as a version.',
    ],
  };
}

/** Returns how many bytes the resolution sets aside. The sentence about a single conflict already describes this. */
function asideFacts(keep: Answer, rows: readonly ConflictRow[]): string[] {
  if (keep === 'both' || rows.length === 1) return [];
  const loser = keep === 'local' ? 'remote' : 'local';
  const bytes = rows.reduce((sum, row) => sum + (sizesOf(row)[loser] ?? 0), 0);
  const side = keep === 'local' ? "the bucket's objects" : "the folder's files";
  return bytes === 0 ? [] : [`Before that, ${bytesText(bytes)} of ${side} are stored as versions.`];
}

function retentionFacts(rows: readonly ConflictRow[]): string[] {
  const ends = rows.flatMap(({ retainUntil }) => retainUntil ?? []);
  if (ends.length === 0) return [];
  const last = Math.max(...ends);
  const which = ends.length === 1 ? 'One version is' : `${numberText(ends.length)} versions are`;
  return [`${which} retained and cannot be removed before ${dayText(last)}.`];
}

/**
 * Resolves when the daemon has applied or refused the resolution of each conflict. If the user stops waiting, the
 * daemon still applies it.
 */
export async function resolve(ui: Ui, keep: Answer, rows: readonly ConflictRow[]): Promise<void> {
  const title = `resolving ${countText(rows.length, 'conflict')}`;
  try {
    const reports = await ui.work(title, async (work) => {
      const stop = followCounts(ui, rows, work);
      try {
        return await inBatches(ui, { keep, rows, dryRun: false, signal: work.abort.signal });
      } finally {
        stop();
      }
    });
    showReports(ui, keep, reports);
  } catch (error) {
    if (!isAbort(error)) throw error;
    ui.warn('stopped waiting: the daemon has saved the answer; the next full round applies it');
  }
}

/** Updates the progress from the jobs' conflict counts. */
function followCounts(ui: Ui, rows: readonly ConflictRow[], work: Work): () => void {
  const jobs = new Set(rows.map(({ job }) => job));
  const left = () =>
    ui.status.jobs.reduce(
      (sum, { name, counts }) => sum + (jobs.has(name) ? counts.conflicts : 0),
      0,
    );
  const before = left();
  return ui.link.listen(['job.changed'], () => {
    const done = Math.max(0, Math.min(rows.length, before - left()));
    work.progress = `${numberText(done)} of ${numberText(rows.length)}`;
    ui.changes.soon();
  });
}

interface Batches {
  readonly keep: Answer;
  readonly rows: readonly ConflictRow[];
  readonly dryRun: boolean;
  readonly signal: AbortSignal | undefined;
}

async function inBatches(
  ui: Ui,
  { keep, rows, dryRun, signal }: Batches,
): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (const { job, paths } of batchesOf(rows)) {
    const asked = { job, keep, paths: [...paths], dryRun };
    reports.push(await ui.call('conflicts.resolve', asked, { signal }));
  }
  return reports;
}

/** Lists the conflicts that remain unresolved, with the reasons. */
function showReports(ui: Ui, keep: Answer, reports: readonly Report[]): void {
  const matched = reports.reduce((sum, report) => sum + report.matched, 0);
  const resolved = reports.reduce((sum, report) => sum + report.resolved, 0);
  if (matched === 0) return ui.warn('the chosen conflicts were resolved in the meantime');
  const done = `resolved ${countText(resolved, 'conflict')}: keep ${ANSWER_NAMES[keep]}`;
  if (resolved === matched) return ui.notifyFinal(done);
  const { look } = ui;
  const waiting = reports.flatMap((report) =>
    report.waiting.map(({ path, why }) => look.name(`${report.job}: ${path}: ${why}`)),
  );
  const left = matched - resolved;
  const more = left > waiting.length ? [`and ${numberText(left - waiting.length)} more`] : [];
  const head = `${done}. Still pending: ${countText(left, 'conflict')}. Each full round tries again:`;
  ui.openOverlay(new TextBox(ui, 'Not resolved yet', [head, '', ...waiting, ...more]));
}
