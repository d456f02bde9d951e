/** Shows what the lifecycle rules would do to a bucket now. The preview changes nothing. */

import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { framedList } from '../../widgets/list-detail.ts';
import type { Column } from '../../widgets/column-widths.ts';
import type { Actions } from '../../commands/command.ts';
import { PagedRows } from '../../data/paged-rows.ts';
import { bucketText } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { whenUp } from '../../data/when-up.ts';
import { minuteText, shortDurationText } from '../../../src/text/time.ts';
import { bytesText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { CHANGE_TEXTS } from './lifecycle-text.ts';
import type { Change } from './lifecycle-text.ts';

const PAGE_ROWS = 1_000;

const COLUMNS: readonly Column<Change>[] = [
  {
    title: 'WHAT',
    width: 11,
    cell: ({ action, locked }) => (locked ? 'locked' : CHANGE_TEXTS[action]),
    tone: ({ locked }) => (locked ? 'attention' : undefined),
  },
  { title: 'KEY', width: 'grow', cut: 'middle', cell: ({ key }, look) => look.name(key) },
  {
    title: 'SIZE',
    tone: 'size',
    width: 8,
    align: 'right',
    cell: ({ sizeBytes }) => bytesText(sizeBytes),
  },
  {
    title: 'MODIFIED',
    tone: 'date',
    width: 16,
    drop: 2,
    cell: ({ lastModifiedAt }) => minuteText(lastModifiedAt),
  },
  {
    title: 'RULE',
    width: 12,
    drop: 1,
    cut: 'middle',
    cell: ({ ruleId }, look) => look.name(ruleId),
  },
];

export class LifecyclePreview implements Screen {
  readonly scope = 'lifecycle-preview';
  readonly crumbs: readonly string[];
  readonly actions: Actions = {};
  readonly list: ListModel<Change>;
  readonly #ui: Ui;
  readonly #rows: PagedRows<Change, string>;
  #clockAheadMs = 0;
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui, place: BucketPlace) {
    this.#ui = ui;
    this.crumbs = [bucketText(place), 'lifecycle', 'preview'];
    this.list = new ListModel<Change>({ changes: ui.changes, canMark: () => false });
    this.#rows = new PagedRows<Change, string>({
      fetch: async (cursor, signal) => {
        const after = cursor === undefined ? {} : { after: cursor };
        const params = { bucket: place.bucket, limit: PAGE_ROWS, ...after };
        const { changes, next, clockAheadMs } = await ui.call('lifecycle.preview', params, {
          signal,
        });
        this.#clockAheadMs = clockAheadMs;
        return { rows: changes, next };
      },
      id: ({ action, key, versionId }) => `${action} ${versionId} ${key}`,
      text: ({ key, ruleId }) => `${key} ${ruleId}`,
      changed: () => this.list.show(this.#rows),
    });
    this.list.show(this.#rows);
  }

  get note(): string {
    if (this.#clockAheadMs === 0) return '';
    const ahead = shortDurationText(this.#clockAheadMs);
    return this.#ui.look.paint('attention', `the clock is ${ahead} ahead of the trusted time`);
  }

  show(): void {
    this.hide();
    this.#stopListening = whenUp(this.#ui.link, () => void this.#rows.reload());
  }

  hide(): void {
    this.#rows.stop();
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  async loadAll(signal: AbortSignal): Promise<void> {
    await this.#rows.loadAll(() => this.list.show(this.#rows), signal);
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    return current ? [{ name: 'key', text: current.key }] : [];
  }

  draw(area: Area, look: Look): readonly string[] {
    const empty = 'a run would delete nothing now';
    const table = { columns: COLUMNS, empty };
    return framedList(area, { list: this.list, title: 'What a run would do now', table }, look);
  }
}
