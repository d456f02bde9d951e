/** Compares a file at a point in time with the current file. */

import type { Ui } from '../../ui/ui.ts';
import { readPart } from '../../data/content.ts';
import { timeText } from '../../../src/text/time.ts';
import { DIFF_BYTES, DiffScreen } from '../diff/diff-screen.ts';
import type { DiffSide } from '../diff/diff-rows.ts';
import type { FolderRow } from './folder-data.ts';
import type { Subject } from './subject.ts';

export function openFileDiff(ui: Ui, job: Subject['job'], row: FolderRow): void {
  const { was, now, path } = row;
  const read = (signal: AbortSignal): Promise<readonly [DiffSide, DiffSide]> =>
    Promise.all([
      readVersion(ui, { job, path, of: 'then', facts: was }, signal),
      readVersion(ui, { job, path, of: 'now', facts: now }, signal),
    ]);
  ui.router.open(new DiffScreen(ui, { crumbs: ['restore', job.name, path, 'diff'], read }));
}

interface Version {
  readonly job: Subject['job'];
  readonly path: string;
  readonly of: 'then' | 'now';
  readonly facts: FolderRow['was'];
}

async function readVersion(
  ui: Ui,
  { job, path, of, facts }: Version,
  signal: AbortSignal,
): Promise<DiffSide> {
  const { sizeBytes = 0, versionId, lastModifiedAt = 0 } = facts ?? {};
  const { target, bucket, prefix } = job;
  const place = { target, bucket, key: prefix + path, versionId };
  const count = Math.min(sizeBytes, DIFF_BYTES);
  const bytes =
    count === 0
      ? new Uint8Array()
      : (await readPart(ui.link, place, { start: 0, count }, signal)).bytes;
  return { name: `${of}, of ${timeText(lastModifiedAt)}`, sizeBytes, bytes };
}
