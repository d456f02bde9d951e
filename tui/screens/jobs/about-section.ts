/**
 * Shows all details of a job in a tab, for terminals that are too narrow to show the details beside
 * a list.
 */

import type { Copyable } from '../../ui/screen.ts';
import type { Ui } from '../../ui/ui.ts';
import { plain } from '../../widgets/layout.ts';
import { listWidth } from '../../widgets/list-detail.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { tableLines } from '../../widgets/table.ts';
import type { Column } from '../../widgets/column-widths.ts';
import type { Look } from '../../theme/look.ts';
import { jobFacts } from './job-facts.ts';
import type { Fact } from './job-facts.ts';
import type { Section } from './section.ts';

const COLUMNS: readonly Column<Fact>[] = [
  { title: '', width: 'fit', tone: () => 'dim', cell: ([name]) => name },
  { title: '', width: 'grow', cell: ([, value]) => plain(value) },
];

export class AboutSection implements Section {
  readonly title = 'About';
  readonly list: ListModel<Fact>;
  readonly #ui: Ui;
  readonly #job: string;
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui, job: string) {
    this.#ui = ui;
    this.#job = job;
    this.list = new ListModel<Fact>({ changes: ui.changes });
  }

  show(): void {
    this.hide();
    this.#stopListening = this.#ui.status.onChange(() => this.#ui.changes.soon(this.#take));
    this.#take();
  }

  hide(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    return current ? [{ name: current[0], text: plain(current[1]) }] : [];
  }

  neededWidth(height: number, look: Look): number {
    return listWidth(this.list, COLUMNS, height, look);
  }

  draw(width: number, height: number, look: Look): readonly string[] {
    const table = { columns: COLUMNS, width, height, titles: false, empty: 'it is gone' };
    return tableLines(this.list, table, look);
  }

  readonly #take = (): void => {
    const job = this.#ui.status.job(this.#job);
    const facts = job ? jobFacts(job, this.#ui, this.#ui.look) : [];
    const counted = facts.map((fact, index) => ({ fact, id: `${fact[0]} ${index}` }));
    const ids = new Map(counted.map(({ fact, id }) => [fact, id]));
    this.list.showAll(facts, (fact) => ids.get(fact) ?? fact[0]);
  };
}
