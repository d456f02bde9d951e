/** Explains a job's state, and the lock on one of the job's paths. */

import { isAbsolute, relative } from 'node:path';

import type { Result } from '../../../src/control/messages.ts';
import { isWhollyInSync } from '../../../src/control/job-standing.ts';
import type { JobStatus } from '../../../src/control/shapes.ts';
import { lastSeenText } from '../../data/last-seen.ts';
import type { Ui } from '../../ui/ui.ts';
import { PromptOverlay } from '../../widgets/prompt.ts';
import { TextBox } from '../../widgets/text-box.ts';
import type { Content } from '../../widgets/text-box.ts';
import { minuteText, shortDurationText } from '../../../src/text/time.ts';
import { countText } from '../../../src/text/amounts.ts';
import { subjectOf } from '../restore/subject.ts';
import { wayOut } from './job-text.ts';

/** The meaning of each job state, in a sentence. */
const MEANINGS: Readonly<Record<JobStatus['state'], string>> = {
  starting: 'The job is starting.',
  scanning: 'The job compares the folder with the bucket.',
  mirroring: 'The job uploads the differences to the bucket.',
  watching: 'The job waits until a file changes.',
  paused: 'The job is paused: it backs up nothing until you resume it.',
  waiting: 'The job waits for its schedule or its run conditions.',
  'no room': 'The bucket or its disk is full.',
  'root missing':
    'The folder is missing or was replaced by another one. Holdfast deletes nothing because of that.',
  clock: 'The clock is not reliable: locks and times could be wrong.',
  held: 'The changes may be a mistake or an attack: they are held for your review.',
  failed: 'The job has failed. It retries automatically.',
  stopped: 'The job has ended.',
};

export function showWhy(ui: Ui, job: JobStatus): void {
  ui.openOverlay(new TextBox(ui, () => whyContent(ui.status.job(job.name) ?? job, ui)));
}

function whyContent(job: JobStatus, ui: Ui): Content {
  const { look } = ui;
  const way = wayOut(job);
  const seen = lastSeenText(ui);
  const lines = [
    ...(seen === undefined ? [] : [`The daemon is down: this is the state ${seen}.`, '']),
    MEANINGS[job.state],
    ...(job.reason === undefined ? [] : ['', look.name(job.reason)]),
    '',
    ...countLines(job),
    ...job.problems.slice(0, 10).map(({ path, message }) => look.name(`${path}: ${message}`)),
    ...(way === undefined ? [] : ['', way.replace('press', 'press Esc, then')]),
  ];
  return { title: `Why ${seen === undefined ? 'is' : 'was'} ${job.name} ${job.state}?`, lines };
}

function countLines(job: JobStatus): string[] {
  const { counts, lagMs, brake, locks } = job;
  if (isWhollyInSync(job)) return ['The bucket contains all files of the folder.'];
  const rows: readonly (readonly [number, string, string])[] = [
    [counts.pending, 'change', `not in the bucket yet, the oldest for ${shortDurationText(lagMs)}`],
    [counts.held - (counts.heldConflicts ?? 0), 'change', 'held'],
    [counts.conflicts, 'file', 'changed here and in the bucket (conflict)'],
    [counts.drifted, 'object', 'changed in the bucket by another client'],
    [brake?.rejectedOverwrites ?? 0, 'file', 'whose new content was rejected'],
    [brake?.rejectedDeletes ?? 0, 'file', 'only in the bucket, as the deletion was rejected'],
    [locks?.deferred ?? 0, 'change', 'waiting: their last version is too new'],
    [counts.problems, 'problem', ''],
  ];
  return rows.flatMap(([count, noun, what]) => {
    return count === 0 ? [] : [`${countText(count, noun)} ${what}`.trimEnd()];
  });
}

/** Asks for a path and explains its lock. `path` is the initial text of the prompt. */
export function askWhyPath(ui: Ui, job: JobStatus, path = ''): void {
  const label = `path of ${job.name}: `;
  const onEnter = (typed: string) => {
    if (typed.trim() === '') return 'write the path of a file';
    void ui.attempt(() => showWhyPath(ui, job, typed));
    return undefined;
  };
  ui.openOverlay(new PromptOverlay(ui, { label, text: path, onEnter }));
}

async function showWhyPath(ui: Ui, job: JobStatus, typed: string): Promise<void> {
  const below = isAbsolute(typed) ? relative(job.folder, typed) : typed;
  const why = await ui.call('jobs.why', subjectOf(job, below));
  const lines = reasonLines(why).map((line) => ui.look.name(line));
  ui.openOverlay(new TextBox(ui, ui.look.name(why.path), lines));
}

function reasonLines(why: Result<'jobs.why'>): string[] {
  const { versionId, isHead, retention, legalHold, renewedAt, problem, excluded, ends } = why;
  const version = versionId === undefined ? 'the object' : `version ${versionId}`;
  return [
    `${version}${isHead ? '' : ', hidden by a newer version'}`,
    retention === undefined
      ? 'no retention'
      : `${retention.mode} until ${minuteText(retention.retainUntil)}`,
    `legal hold ${legalHold ? 'ON' : 'off'}`,
    ruleText(why),
    ...(renewedAt === undefined ? [] : [`next renewal ${minuteText(renewedAt)}`]),
    ...(problem === undefined ? [] : [problem]),
    ...(excluded ? [`${excluded.reason}: no new version is uploaded`] : []),
    ends,
  ];
}

function ruleText({ terms, pattern, released, bucketDefault }: Result<'jobs.why'>): string {
  const by = pattern === undefined ? 'the job' : `the pattern ${pattern}`;
  if (released) return 'its renewal was ended (holdfast lock release)';
  if (terms) {
    const { mode, days, refreshDays } = terms;
    return `locked by ${by}: ${mode}, ${countText(days, 'day')}, renewed every ${countText(refreshDays, 'day')}`;
  }
  if (pattern !== undefined) return `${by} locks nothing here`;
  return bucketDefault
    ? 'the job locks nothing; its bucket does by default'
    : 'the job locks nothing';
}
