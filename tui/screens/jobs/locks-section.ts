/** Lists the days on which a job's locks expire, and the versions that stay locked until then. */

import type { Result } from '../../../src/control/messages.ts';
import type { Copyable } from '../../ui/screen.ts';
import type { Ui } from '../../ui/ui.ts';
import { listWidth } from '../../widgets/list-detail.ts';
import { ListModel } from '../../widgets/list-model.ts';
import type { Foot } from '../../widgets/panes.ts';
import { listFoot, tableLines } from '../../widgets/table.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { Polling } from '../../data/polling.ts';
import { bytesText, countText } from '../../../src/text/amounts.ts';
import { dayText, minuteText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import type { Section } from './section.ts';

type Locks = Result<'jobs.locks'>;

interface LockRow {
  readonly until: number;
  readonly what: string;
  readonly amount: string;
  /** The key of a retained version. Absent in the row of a day. */
  readonly key?: string;
}

/** Locks change at most once a day, so a reload every 30 seconds is enough. */
const AGAIN_MS = 30_000;
const DAY_MS = 86_400_000;

export class LocksSection implements Section {
  readonly title = 'Locks';
  readonly list: ListModel<LockRow>;
  readonly #ui: Ui;
  readonly #polling: Polling;

  constructor(ui: Ui, job: string) {
    this.#ui = ui;
    this.list = new ListModel<LockRow>({ changes: ui.changes });
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () => AGAIN_MS,
      read: async (signal) => this.#take(await ui.call('jobs.locks', { name: job }, { signal })),
      changed: () => ui.changes.soon(),
    });
  }

  get path(): string | undefined {
    return this.list.current?.key;
  }

  show(): void {
    this.#polling.start();
  }

  hide(): void {
    this.#polling.stop();
  }

  copyables(): readonly Copyable[] {
    return this.path === undefined ? [] : [{ name: 'key', text: this.path }];
  }

  foot(look: Look): Foot {
    return listFoot(this.list, look);
  }

  neededWidth(height: number, look: Look): number {
    return listWidth(this.list, columnsAt(this.#ui.clock.now()), height, look);
  }

  draw(width: number, height: number, look: Look): readonly string[] {
    const { problem, isFirst } = this.#polling;
    const table = {
      columns: columnsAt(this.#ui.clock.now()),
      width,
      height,
      empty:
        problem ??
        (isFirst ? this.#ui.link.unreadText : 'it locks nothing: press e to set its lock'),
    };
    return tableLines(this.list, table, look);
  }

  #take({ days, retained }: Locks): void {
    const rows: readonly LockRow[] = [
      ...days.map(({ day, versions, bytes }) => {
        return {
          until: day,
          what: 'current versions',
          amount: `${countText(versions, 'version')}, ${bytesText(bytes)}`,
        };
      }),
      ...retained.map(({ key, until, what }) => ({ until, what, amount: key, key })),
    ];
    const sorted = rows.toSorted((a, b) => a.until - b.until);
    this.list.showAll(sorted, ({ until, what, amount }) => `${until} ${what} ${amount}`);
  }
}

function columnsAt(now: number): readonly Column<LockRow>[] {
  return [
    {
      title: 'UNTIL',
      tone: 'date',
      width: 16,
      short: { width: 10, cell: ({ until }) => dayText(until) },
      cell: ({ until }) => minuteText(until),
    },
    {
      title: 'IN',
      width: 7,
      drop: 2,
      align: 'right',
      cell: ({ until }) => `${Math.max(0, Math.round((until - now) / DAY_MS))} d`,
    },
    { title: 'WHAT', width: 'fit', most: 40, drop: 1, cell: ({ what }, look) => look.name(what) },
    {
      title: 'VERSIONS',
      width: 'grow',
      cut: 'middle',
      cell: ({ amount }, look) => look.name(amount),
    },
  ];
}
