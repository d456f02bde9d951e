/** Lists the current transfers of a job. */

import type { Copyable } from '../../ui/screen.ts';
import type { Ui } from '../../ui/ui.ts';
import { bar, paintedBar } from '../../widgets/charts.ts';
import { listWidth } from '../../widgets/list-detail.ts';
import { ListModel } from '../../widgets/list-model.ts';
import type { Foot } from '../../widgets/panes.ts';
import { listFoot, tableLines } from '../../widgets/table.ts';
import type { Column } from '../../widgets/column-widths.ts';
import type { TransferRow } from '../../data/transfers-store.ts';
import { bytesText, numberText, percentOf, rateText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import type { Section } from './section.ts';
import { shortDurationText } from '../../../src/text/time.ts';

const BAR_CELLS = 10;

const ACTIONS: Readonly<Record<TransferRow['kind'], string>> = {
  put: 'upload',
  get: 'download',
  copy: 'copy',
  delete: 'delete',
};

export class MovingSection implements Section {
  readonly list: ListModel<TransferRow>;
  readonly #ui: Ui;
  readonly #job: string;
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui, job: string) {
    this.#ui = ui;
    this.#job = job;
    this.list = new ListModel<TransferRow>({ changes: ui.changes });
  }

  get title(): string {
    const count = this.#ui.transfers.countOf(this.#job);
    return count === 0 ? 'Transfers' : `Transfers ${numberText(count)}`;
  }

  get path(): string | undefined {
    return this.list.current?.path;
  }

  show(): void {
    this.hide();
    this.#stopListening = this.#ui.transfers.onChange(() => this.#ui.changes.soon(this.#take));
    this.#take();
  }

  hide(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  copyables(): readonly Copyable[] {
    return this.path === undefined ? [] : [{ name: 'path', text: this.path }];
  }

  /** If there are many transfers, the daemon sends only some of them. The lower border states how many are missing. */
  foot(look: Look): Foot {
    const missing = this.#ui.transfers.countOf(this.#job) - this.#ui.transfers.of(this.#job).length;
    const legend = missing > 0 ? `${numberText(missing)} more are not listed` : '';
    return listFoot(this.list, look, legend);
  }

  neededWidth(height: number, look: Look): number {
    return listWidth(this.list, transferColumns(this.#ui.clock.now()), height, look);
  }

  draw(width: number, height: number, look: Look): readonly string[] {
    const columns = transferColumns(this.#ui.clock.now());
    const table = { columns, width, height, empty: 'no transfer is running' };
    return tableLines(this.list, table, look);
  }

  readonly #take = (): void => {
    const id = ({ path, kind, startedAt }: TransferRow) => `${kind} ${startedAt} ${path}`;
    this.list.showAll(this.#ui.transfers.of(this.#job), id, ({ path }) => path);
  };
}

/** Returns the columns of a transfer list. The rate is the average over the whole transfer. */
export function transferColumns(now: number): readonly Column<TransferRow>[] {
  return [
    { title: 'PATH', width: 'grow', cut: 'middle', cell: ({ path }, look) => look.name(path) },
    { title: 'ACTION', width: 8, drop: 4, cell: ({ kind }) => ACTIONS[kind] },
    {
      title: 'SIZE',
      tone: 'size',
      width: 8,
      align: 'right',
      cell: ({ sizeBytes }, look) =>
        sizeBytes === undefined ? look.glyphs.none : bytesText(sizeBytes),
    },
    {
      title: 'PROGRESS',
      width: BAR_CELLS,
      drop: 3,
      tone: 'accent',
      paint: (cell, _, look) => paintedBar(cell, 'accent', look),
      cell: (row, look) => {
        const share = shareOf(row);
        return share === undefined ? look.glyphs.none : bar(share, BAR_CELLS, look);
      },
    },
    {
      title: '%',
      width: 3,
      align: 'right',
      cell: (row, look) => {
        const share = shareOf(row);
        return share === undefined ? look.glyphs.none : String(percentOf(share));
      },
    },
    {
      title: 'RATE',
      width: 9,
      align: 'right',
      drop: 2,
      cell: (row, look) => {
        const speed = speedOf(row, now);
        return speed === undefined ? look.glyphs.none : rateText(speed);
      },
    },
    {
      title: 'ETA',
      width: 6,
      align: 'right',
      drop: 1,
      cell: (row, look) => {
        const [speed, { sizeBytes, sentBytes }] = [speedOf(row, now), row];
        if (speed === undefined || sizeBytes === undefined) return look.glyphs.none;
        return shortDurationText(((sizeBytes - sentBytes) / speed) * 1_000);
      },
    },
  ];
}

function shareOf({ sizeBytes, sentBytes }: TransferRow): number | undefined {
  if (sizeBytes === undefined || sizeBytes === 0) return undefined;
  return Math.min(1, sentBytes / sizeBytes);
}

function speedOf({ sentBytes, startedAt }: TransferRow, now: number): number | undefined {
  const seconds = (now - startedAt) / 1_000;
  return seconds <= 0 || sentBytes === 0 ? undefined : sentBytes / seconds;
}
