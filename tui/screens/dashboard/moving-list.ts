/** Lists the transfers of all jobs in a pane without a cursor. */

import type { Ui } from '../../ui/ui.ts';
import type { Pane } from '../../widgets/panes.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { tableLines } from '../../widgets/table.ts';
import { numberText } from '../../../src/text/amounts.ts';
import type { TransferRow } from '../../data/transfers-store.ts';
import type { Look } from '../../theme/look.ts';
import { transferColumns } from '../jobs/moving-section.ts';

interface Moving extends TransferRow {
  readonly job: string;
}

export class MovingList {
  readonly #ui: Ui;
  readonly #list: ListModel<Moving>;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#list = new ListModel<Moving>({ changes: ui.changes });
  }

  get count(): number {
    return this.#list.rows.count;
  }

  take(): void {
    const { status, transfers } = this.#ui;
    const rows = status.jobs.flatMap(({ name }) =>
      transfers.of(name).map((row): Moving => Object.assign({ job: name }, row)),
    );
    this.#list.showAll(
      rows,
      ({ job, path, kind, startedAt }) => `${job} ${kind} ${startedAt} ${path}`,
    );
  }

  pane(width: number, look: Look): Pane {
    const { status, transfers, clock } = this.#ui;
    const count = status.jobs.reduce((sum, { name }) => sum + transfers.countOf(name), 0);
    const title = count === 0 ? 'Transfers' : `Transfers  ${numberText(count)}`;
    const table = {
      columns: transferColumns(clock.now()),
      titles: false,
      focused: false,
      empty: 'no transfer is running',
    };
    return {
      title,
      width,
      draw: (area) =>
        tableLines(this.#list, { ...table, width: area.columns, height: area.rows }, look),
    };
  }
}
