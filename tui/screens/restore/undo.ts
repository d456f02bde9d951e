/**
 * Makes an older version of a file or folder current again, in the bucket and in the job's folder. A question shows the
 * effect first.
 */

import { defined } from '../../../src/base/defined.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Question } from '../../commands/command.ts';
import { bytesText, countText, numberText } from '../../../src/text/amounts.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { Subject } from './subject.ts';
import { RestoreRun } from './restore-run.ts';
import { RunScreen } from './run-screen.ts';
import { absoluteOf, subjectOf } from './subject.ts';
import { shortPath } from '../../text/home-path.ts';
import type { At } from './time-travel.ts';

/** A question lists at most this many paths. */
const MOST_NAMED = 5;

/** Specifies what becomes current again: a point in time, or a version of one file. */
export interface UndoTo {
  readonly at?: At;
  readonly versionId?: string | undefined;
}

/** Returns the question before an undo. Rejects if no object in the bucket would change. */
export async function askUndo(ui: Ui, subject: Subject, undoTo: UndoTo): Promise<Question> {
  const { steps, total, to, undatedCount } = await ui.call(
    'history.planUndo',
    askedOf(subject, undoTo),
  );
  const { look } = ui;
  const changing = steps.filter(({ isCurrent }) => !isCurrent);
  const named = changing.slice(0, MOST_NAMED).map(({ path, lastModifiedAt, sizeBytes }) => {
    return look.name(`${path}: version of ${minuteText(lastModifiedAt)}, ${bytesText(sizeBytes)}`);
  });
  const isAll = total === steps.length;
  const movedTo = steps[0]?.movedTo;
  if (isAll && changing.length === 0 && movedTo === undefined && undatedCount === 0) {
    throw new Error('undo: nothing was deleted or changed since then (R restores files)');
  }
  const count = isAll
    ? countText(changing.length, 'older version')
    : `of ${countText(total, 'path')}, the older versions`;
  const more = changing.length - named.length;
  const isOne = isAll && changing.length === 1;
  const short = (path: string) => look.name(shortPath(path, ui.outside.userHome));
  return {
    title: `Undo ${short(absoluteOf(subject.job.folder, subject.path))}?`,
    facts: [
      `In the bucket, ${count} ${isOne ? 'becomes' : 'become'} current again by a copy; no version is deleted.`,
      ...named,
      ...(more > 0 ? [`and ${numberText(more)} more`] : []),
      ...(movedTo === undefined
        ? []
        : [`${look.name(movedTo)} would be removed, because the file was moved to it.`]),
      ...(undatedCount > 0
        ? [`Not changed: ${countText(undatedCount, 'path')} without a reliable date.`]
        : []),
      `${isOne ? 'The file is' : 'The files are'} restored to ${short(to)}. Files that differ are stored as versions first.`,
    ],
  };
}

export function undo(ui: Ui, subject: Subject, undoTo: UndoTo): void {
  const run = new RestoreRun(ui, [{ method: 'history.undo', asked: askedOf(subject, undoTo) }]);
  run.start();
  ui.router.open(new RunScreen(ui, run));
}

function askedOf({ job, path }: Subject, { at, versionId }: UndoTo) {
  return { ...subjectOf(job, path), ...defined({ at, versionId }) };
}
