/** Shows the difference between the two sides of the conflict under the cursor. */

import type { Ui } from '../../ui/ui.ts';
import { CursorContent, PANE_BYTES } from '../../widgets/cursor-content.ts';
import { diffContent } from '../diff/diff-rows.ts';
import { readBoth } from './compare-sides.ts';
import { idOf } from './conflict-data.ts';
import type { ConflictRow, ConflictSides } from './conflict-data.ts';

export interface ConflictSubject {
  readonly row: ConflictRow;
  readonly sides: ConflictSides;
}

export function conflictDifference(ui: Ui): CursorContent<ConflictSubject> {
  return new CursorContent<ConflictSubject>({
    clock: ui.clock,
    changes: ui.changes,
    id: ({ row, sides }) => [idOf(row), ...[sides.local, sides.remote].map(contentId)].join('\0'),
    async *read({ row, sides }, signal) {
      if ([sides.local, sides.remote].some(({ missing }) => missing)) {
        yield ['only one side exists'];
        return;
      }
      const [local, bucket] = await readBoth(ui, row, PANE_BYTES, signal);
      const unread = [local, bucket].find(
        ({ bytes, sizeBytes }) => bytes.length < 1 && sizeBytes > 0,
      );
      yield unread ? [`the ${unread.name} content cannot be shown`] : diffContent(local, bucket);
    },
  });
}

function contentId({ sha256, etag, modifiedAt }: ConflictSides['local']): string {
  return `${sha256} ${etag} ${modifiedAt}`;
}
