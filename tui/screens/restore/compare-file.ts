/** Compares a file at a point in time with the current file. */

import type { Ui } from '../../ui/ui.ts';
import { readPart } from '../../data/content.ts';
import { minuteText } from '../../../src/text/time.ts';
import { DIFF_BYTES, DiffScreen } from '../diff/diff-screen.ts';
import type { DiffSide } from '../diff/diff-rows.ts';
import type { FolderRow } from './folder-data.ts';
import type { Subject } from './subject.ts';

export function openFileDiff(ui: Ui, job: Subject['job'], row: FolderRow): void {
  const read = (signal: AbortSignal) => readSides(ui, job, { row, bytes: DIFF_BYTES }, signal);
  ui.router.open(new DiffScreen(ui, { crumbs: ['restore', job.name, row.path, 'diff'], read }));
}

/** Reads the first bytes of a file at the selected time and now. */
export function readSides(
  ui: Ui,
  job: Subject['job'],
  { row: { was, now, path }, bytes }: { readonly row: FolderRow; readonly bytes: number },
  signal: AbortSignal,
): Promise<readonly [DiffSide, DiffSide]> {
  return Promise.all([
    readVersion(ui, { job, path, of: 'then', facts: was, bytes }, signal),
    readVersion(ui, { job, path, of: 'now', facts: now, bytes }, signal),
  ]);
}

interface Version {
  readonly job: Subject['job'];
  readonly path: string;
  readonly of: 'then' | 'now';
  readonly facts: FolderRow['was'];
  readonly bytes: number;
}

async function readVersion(
  ui: Ui,
  { job, path, of, facts, bytes: most }: Version,
  signal: AbortSignal,
): Promise<DiffSide> {
  const { sizeBytes = 0, versionId, lastModifiedAt = 0 } = facts ?? {};
  const { target, bucket, prefix } = job;
  const place = { target, bucket, key: prefix + path, versionId };
  const count = Math.min(sizeBytes, most);
  const bytes =
    count === 0
      ? new Uint8Array()
      : (await readPart(ui.link, place, { start: 0, count }, signal)).bytes;
  return { name: `${of}: ${minuteText(lastModifiedAt)}`, sizeBytes, bytes };
}
