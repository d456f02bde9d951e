/** Lists the latest sync rounds of a job. */

import { defined } from '../../../src/base/defined.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { Copyable } from '../../ui/screen.ts';
import type { Ui } from '../../ui/ui.ts';
import { listWidth } from '../../widgets/list-detail.ts';
import { ListModel } from '../../widgets/list-model.ts';
import type { Foot } from '../../widgets/panes.ts';
import { listFoot, tableLines } from '../../widgets/table.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { PagedRows } from '../../data/paged-rows.ts';
import { minuteText, shortDurationText } from '../../../src/text/time.ts';
import { bytesText, numberText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import type { Section } from './section.ts';

export type Round = Result<'jobs.history'>['rounds'][number];

const PAGE = 1_000;

export const ROUND_KINDS: Readonly<Record<Round['kind'], string>> = {
  event: 'changes',
  full: 'full',
  listing: 'full, bucket',
};

const amount = (count: number, look: Look) => (count === 0 ? look.glyphs.none : numberText(count));

const COLUMNS: readonly Column<Round>[] = [
  { title: 'STARTED', width: 16, cell: ({ startedAt }) => minuteText(startedAt) },
  {
    title: 'ROUND',
    width: 'grow',
    cell: ({ kind, rounds }) =>
      rounds > 1 ? `${ROUND_KINDS[kind]} ×${numberText(rounds)}` : ROUND_KINDS[kind],
  },
  {
    title: 'TOOK',
    width: 7,
    align: 'right',
    drop: 3,
    cell: ({ startedAt, endedAt }) => shortDurationText(endedAt - startedAt),
  },
  {
    title: 'FOUND',
    width: 8,
    align: 'right',
    drop: 1,
    cell: ({ actions }, look) => amount(actions, look),
  },
  {
    title: 'VERSIONS',
    width: 8,
    align: 'right',
    cell: ({ versions }, look) => amount(versions, look),
  },
  {
    title: 'BYTES',
    tone: 'size',
    width: 8,
    align: 'right',
    cell: ({ bytes }, look) => (bytes === 0 ? look.glyphs.none : bytesText(bytes)),
  },
  {
    title: 'DELETES',
    width: 7,
    align: 'right',
    drop: 2,
    cell: ({ deletes }, look) => amount(deletes, look),
  },
];

export class RoundsSection implements Section {
  readonly title = 'History';
  readonly list: ListModel<Round>;
  readonly #ui: Ui;
  readonly #job: string;
  readonly #rows: PagedRows<Round, number>;
  #stopListening: (() => void) | undefined;
  #lastRoundAt: number | undefined;

  constructor(ui: Ui, job: string) {
    this.#ui = ui;
    this.#job = job;
    this.list = new ListModel<Round>({ changes: ui.changes });
    this.#rows = new PagedRows<Round, number>({
      fetch: (before, signal) => this.#fetch(before, signal),
      id: ({ number }) => String(number),
      text: ({ kind, startedAt }) => `${ROUND_KINDS[kind]} ${minuteText(startedAt)}`,
      changed: () => this.list.show(this.#rows),
    });
  }

  show(): void {
    this.hide();
    const { status, link } = this.#ui;
    const stops = [
      status.onChange(() => this.#look()),
      link.onState(({ kind }) => {
        if (kind === 'up') void this.#rows.reload();
      }),
    ];
    this.#stopListening = () => stops.forEach((stop) => stop());
    void this.#rows.reload();
  }

  hide(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#rows.stop();
  }

  async loadAll(signal: AbortSignal): Promise<void> {
    await this.#rows.loadAll(() => this.#ui.changes.soon(), signal);
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    return current ? [{ name: 'JSON', text: JSON.stringify(current) }] : [];
  }

  foot(look: Look): Foot {
    return listFoot(this.list, look);
  }

  neededWidth(height: number, look: Look): number {
    return listWidth(this.list, COLUMNS, height, look);
  }

  draw(width: number, height: number, look: Look): readonly string[] {
    const empty = this.list.isUnread ? this.#ui.link.unreadText : 'no round has ended yet';
    const table = { columns: COLUMNS, width, height, empty };
    return tableLines(this.list, table, look);
  }

  /** Reloads the list after a sync round has ended. */
  #look(): void {
    const at = this.#ui.status.job(this.#job)?.lastRoundAt;
    if (at === this.#lastRoundAt) return;
    this.#lastRoundAt = at;
    void this.#rows.reload();
  }

  async #fetch(before: number | undefined, signal: AbortSignal) {
    const request = { name: this.#job, limit: PAGE, ...defined({ before }) };
    const { rounds } = await this.#ui.call('jobs.history', request, { signal });
    return { rows: rounds, next: rounds.length < PAGE ? undefined : rounds.at(-1)?.number };
  }
}
