/**
 * Shows all details of a job in a tab, for terminals that are too narrow to show the details beside
 * a list.
 */

import type { Copyable } from '../../ui/screen.ts';
import type { Ui } from '../../ui/ui.ts';
import { plain, wrapColoured } from '../../widgets/layout.ts';
import { arraySource } from '../../data/row-source.ts';
import { ListModel } from '../../widgets/list-model.ts';
import type { Foot } from '../../widgets/panes.ts';
import { listFoot, tableLines } from '../../widgets/table.ts';
import { GAP, GUTTER } from '../../widgets/column-widths.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { pad, widthOf } from '../../text/width.ts';
import type { Look } from '../../theme/look.ts';
import { jobFacts } from './job-facts.ts';
import type { Fact } from './job-facts.ts';
import type { Section } from './section.ts';

/** A line of a fact. A long value has several lines, and only the first one has a name. */
interface Line {
  readonly id: string;
  /** The number of the fact, counted from 1. */
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly fact: Fact;
}

const COLUMNS: readonly Column<Line>[] = [
  { title: '', width: 'fit', tone: () => 'dim', cell: ({ name }) => name },
  {
    title: '',
    width: 'grow',
    cell: ({ text }) => plain(text),
    paint: (cell, { text }) => pad(text, widthOf(cell)),
  },
];

export class AboutSection implements Section {
  readonly title = 'About';
  readonly list: ListModel<Line>;
  readonly #ui: Ui;
  readonly #job: string;
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui, job: string) {
    this.#ui = ui;
    this.#job = job;
    this.list = new ListModel<Line>({ changes: ui.changes });
  }

  show(): void {
    this.hide();
    this.#stopListening = this.#ui.status.onChange(() => this.#ui.changes.soon());
    this.#take(Infinity, this.#ui.look);
  }

  hide(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    return current ? [{ name: current.fact[0], text: plain(current.fact[1]) }] : [];
  }

  /** Counts the facts and not the lines, because the number of lines depends on the width. */
  foot(look: Look): Foot {
    const { current, filter, rows } = this.list;
    const last = rows.row(rows.count - 1);
    if (filter || !current || !last) return listFoot(this.list, look);
    return { place: `${current.number} of ${last.number}` };
  }

  /** Infinite, because this tab shows no details beside its list. */
  neededWidth(): number {
    return Infinity;
  }

  draw(width: number, height: number, look: Look): readonly string[] {
    this.#take(width, look);
    const table = { columns: COLUMNS, width, height, titles: false, empty: 'the job was removed' };
    return tableLines(this.list, table, look);
  }

  #take(width: number, look: Look): void {
    const lines = this.#lines(width, look);
    this.list.replace(arraySource(lines, { id: ({ id }) => id }));
  }

  #lines(width: number, look: Look): readonly Line[] {
    const job = this.#ui.status.job(this.#job);
    const facts = job ? jobFacts(job, this.#ui, look) : [];
    const names = Math.max(0, ...facts.map(([name]) => widthOf(name)));
    const room = width - GUTTER - names - GAP;
    return facts.flatMap((fact, index) =>
      wrapColoured(fact[1], room).map((text, line) => {
        const [name] = fact;
        const id = `${name} ${index} ${line}`;
        return { id, number: index + 1, name: line === 0 ? name : '', text, fact };
      }),
    );
  }
}
