/**
 * Shows the content of the version under the cursor: its difference from the previous version. The oldest version shows
 * its first bytes.
 */

import type { Ui } from '../../ui/ui.ts';
import type { ObjectPlace } from '../../data/place.ts';
import type { ObjectFacts } from '../../data/row-facts.ts';
import type { Look } from '../../theme/look.ts';
import { CursorContent, PANE_BYTES } from '../../widgets/cursor-content.ts';
import type { DetailContent } from '../../widgets/list-detail.ts';
import { diffContent } from '../diff/diff-rows.ts';
import { PreviewContent } from '../preview/preview-content.ts';
import { readVersions } from './compare-versions.ts';
import type { VersionRow } from './version-rows.ts';

export interface VersionSubject {
  readonly row: VersionRow;
  readonly facts: ObjectFacts;
  /** The previous version. `unknown` if it may be on a page that is not loaded yet. */
  readonly older: VersionRow | 'none' | 'unknown';
}

interface Pair {
  readonly older: VersionRow;
  readonly younger: VersionRow;
}

export class VersionContent {
  readonly #place: ObjectPlace;
  readonly #preview: PreviewContent;
  readonly #difference: CursorContent<Pair>;

  constructor(ui: Ui, place: ObjectPlace) {
    this.#place = place;
    this.#preview = new PreviewContent(ui);
    this.#difference = new CursorContent<Pair>({
      clock: ui.clock,
      changes: ui.changes,
      id: ({ older, younger }) => `${older.versionId} ${younger.versionId} ${younger.etag}`,
      async *read(pair, signal) {
        const sides = await readVersions(ui, place, { ...pair, bytes: PANE_BYTES }, signal);
        yield diffContent(...sides);
      },
    });
  }

  pane(subject: VersionSubject, look: Look): DetailContent | undefined {
    const pair = pairOf(subject);
    if (pair) return this.#difference.pane(pair, 'Changes since the previous version', look);
    if (subject.older === 'unknown') return undefined;
    return this.#preview.pane(this.#previewed(subject), 'Preview', look);
  }

  follow(subject: VersionSubject | undefined): void {
    this.#difference.follow(subject && pairOf(subject));
    this.#preview.follow(subject?.older === 'none' ? this.#previewed(subject) : undefined);
  }

  stop(): void {
    this.#preview.stop();
    this.#difference.stop();
  }

  #previewed({ row: { versionId }, facts }: VersionSubject) {
    return { place: { ...this.#place, versionId }, facts };
  }
}

function pairOf({ row, older }: VersionSubject): Pair | undefined {
  return typeof older === 'string' ? undefined : { older, younger: row };
}
