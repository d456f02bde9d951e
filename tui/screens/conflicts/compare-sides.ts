/** Compares the first bytes of the two sides of a conflict. */

import type { Ui } from '../../ui/ui.ts';
import { DIFF_BYTES, DiffScreen } from '../diff/diff-screen.ts';
import type { DiffSide } from '../diff/diff-rows.ts';
import type { ConflictRow, ConflictSides } from './conflict-data.ts';

export function openComparison(ui: Ui, row: ConflictRow): void {
  const read = (signal: AbortSignal) => readBoth(ui, row, DIFF_BYTES, signal);
  ui.router.open(new DiffScreen(ui, { crumbs: ['conflicts', row.path, 'diff'], read }));
}

/** Reads the first `bytes` of both sides of a conflict. The local side comes first. */
export async function readBoth(
  ui: Ui,
  { job, path, id }: ConflictRow,
  bytes: number,
  signal: AbortSignal,
): Promise<readonly [DiffSide, DiffSide]> {
  const asked = { job, path, id, previewBytes: bytes };
  const { local, remote } = await ui.call('conflicts.sides', asked, { signal });
  return Promise.all([
    readSide(ui, { name: 'local', side: local, signal }),
    readSide(ui, { name: 'bucket', side: remote, signal }),
  ]);
}

interface SideToRead {
  readonly name: string;
  readonly side: ConflictSides['local'];
  readonly signal: AbortSignal;
}

/** Reads the first bytes of one side. A missing side counts as empty. */
async function readSide(ui: Ui, { name, side, signal }: SideToRead): Promise<DiffSide> {
  const { missing, sizeBytes = 0, sha256, stream } = side;
  const chunks: Uint8Array[] = [];
  if (stream !== undefined) {
    const client = await ui.link.client();
    for await (const chunk of client.download(stream, { signal })) chunks.push(chunk);
  }
  const isThere = missing ? `${name} (does not exist now)` : name;
  return { name: isThere, sizeBytes, sha256, bytes: Buffer.concat(chunks) };
}
