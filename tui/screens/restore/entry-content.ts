/**
 * Shows the content of the entry under the cursor at the selected time: the changes of a file since then, or its first
 * bytes. For a folder, lists the files below it that differ from now.
 */

import { differenceRowSchema } from '../../../src/control/methods/history.ts';
import { readRows } from '../../../src/control/rows.ts';
import { numberText } from '../../../src/text/amounts.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Look } from '../../theme/look.ts';
import { CursorContent, PANE_BYTES } from '../../widgets/cursor-content.ts';
import type { Content } from '../../widgets/cursor-content.ts';
import type { DetailContent } from '../../widgets/list-detail.ts';
import { diffContent } from '../diff/diff-rows.ts';
import { PreviewContent } from '../preview/preview-content.ts';
import type { PreviewSubject } from '../preview/preview-content.ts';
import { DIFFERENCE_SIGNS, DIFFERENCE_TONES } from './columns.ts';
import { readSides } from './compare-file.ts';
import { hasDifference } from './entry-sums.ts';
import type { EntrySums } from './entry-sums.ts';
import type { FolderRow } from './folder-data.ts';
import type { Subject } from './subject.ts';
import { subjectOf } from './subject.ts';
import type { At } from './time-travel.ts';

export interface EntrySubject {
  readonly row: FolderRow;
  readonly at: At;
  /** The totals of a folder. Undefined until its files are counted. */
  readonly sums: EntrySums | undefined;
}

/** The number of differences that the pane lists. No terminal has more rows. */
const MOST_LISTED = 100;

export class EntryContent {
  readonly #job: Subject['job'];
  readonly #preview: PreviewContent;
  readonly #difference: CursorContent<FolderRow>;
  readonly #below: CursorContent<EntrySubject>;

  constructor(ui: Ui, job: Subject['job']) {
    this.#job = job;
    this.#preview = new PreviewContent(ui);
    const common = { clock: ui.clock, changes: ui.changes };
    this.#difference = new CursorContent<FolderRow>({
      ...common,
      id: ({ path, was, now }) => [path, was?.versionId, now?.versionId].join('\0'),
      async *read(row, signal) {
        yield diffContent(...(await readSides(ui, job, { row, bytes: PANE_BYTES }, signal)));
      },
    });
    this.#below = new CursorContent<EntrySubject>({
      ...common,
      id: ({ row, at, sums }) => JSON.stringify([row.path, at, sums]),
      async *read({ row, at }, signal) {
        yield await readDifferences(ui, { job, path: row.path }, at ?? 0, signal);
      },
    });
  }

  /** Returns undefined for an entry without content to show. */
  pane(subject: EntrySubject, look: Look): DetailContent | undefined {
    const { row } = subject;
    if (differsBelow(subject)) return this.#below.pane(subject, 'Differs from now', look);
    if (hasChanged(row)) return this.#difference.pane(row, 'Changes since then', look);
    const previewed = this.#previewed(row);
    return (
      previewed && this.#preview.pane(previewed, row.was ? 'Content then' : 'Content now', look)
    );
  }

  follow(subject: EntrySubject | undefined): void {
    const row = subject?.row;
    this.#below.follow(subject && differsBelow(subject) ? subject : undefined);
    this.#difference.follow(row && hasChanged(row) ? row : undefined);
    this.#preview.follow(row && !hasChanged(row) ? this.#previewed(row) : undefined);
  }

  stop(): void {
    this.#below.stop();
    this.#difference.stop();
    this.#preview.stop();
  }

  #previewed({ path, isFolder, was, now }: FolderRow): PreviewSubject | undefined {
    const facts = was ?? now;
    if (isFolder || facts?.sizeBytes === undefined) return undefined;
    const { target, bucket, prefix } = this.#job;
    const { sizeBytes, versionId, etag } = facts;
    const place = { target, bucket, key: prefix + path, versionId };
    return { place, facts: { sizeBytes, versionId, etag } };
  }
}

function hasChanged({ isFolder, is }: FolderRow): boolean {
  return !isFolder && is === 'changed';
}

function differsBelow({ row, at, sums }: EntrySubject): boolean {
  return row.isFolder && at !== undefined && sums !== undefined && hasDifference(sums);
}

async function readDifferences(
  ui: Ui,
  { job, path }: Subject,
  from: number,
  signal: AbortSignal,
): Promise<Content> {
  const { stream } = await ui.call(
    'history.compare',
    { ...subjectOf(job, path), from },
    { signal },
  );
  const client = await ui.link.client();
  const lines: Content[number][] = [];
  for await (const row of readRows(client, { stream, row: differenceRowSchema }, signal)) {
    const text = `${DIFFERENCE_SIGNS[row.is]} ${row.path.slice(path.length)}`;
    lines.push([{ text, tone: DIFFERENCE_TONES[row.is] }]);
    if (lines.length < MOST_LISTED) continue;
    return [
      ...lines,
      `only the first ${numberText(MOST_LISTED)} are listed; Enter opens the folder`,
    ];
  }
  return lines;
}
