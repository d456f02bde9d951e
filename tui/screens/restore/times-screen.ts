/** Compares a folder at two points in time, path by path. */

import { defined } from '../../../src/base/defined.ts';
import { differenceRowSchema } from '../../../src/control/methods/history.ts';
import type { DifferenceRow } from '../../../src/control/methods/history.ts';
import { readRows } from '../../../src/control/rows.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { listAndDetail, WIDE_COLUMNS } from '../../widgets/list-detail.ts';
import type { Column } from '../../widgets/column-widths.ts';
import type { Actions } from '../../commands/command.ts';
import { WholeReading } from '../../data/whole-reading.ts';
import { bytesText, numberText } from '../../../src/text/amounts.ts';
import { timeText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import { DIFFERENCE_SIGNS, DIFFERENCE_TONES } from './columns.ts';
import { EntryContent } from './entry-content.ts';
import type { EntrySubject } from './entry-content.ts';
import { DETAIL_LINES, entryLines } from './entry-detail.ts';
import type { Standing } from './folder-data.ts';
import type { Subject } from './subject.ts';
import { nameOf, subjectOf } from './subject.ts';

/** The screen lists at most this many rows, which take about 5 MB. It only counts the remaining rows. */
const MOST_ROWS = 20_000;

/** How the details describe a difference. */
const STANDINGS: Readonly<Record<DifferenceRow['is'], Standing>> = {
  added: 'later',
  removed: 'gone',
  changed: 'changed',
  attributes: 'rewritten',
  uncertain: 'uncertain',
};

const WORDS: Readonly<Record<DifferenceRow['is'], string>> = {
  added: 'created',
  changed: 'changed',
  removed: 'deleted',
  attributes: 'attributes',
  uncertain: 'uncertain',
};

const NONE = { added: 0, removed: 0, changed: 0, attributes: 0, uncertain: 0 };

const size = (facts: DifferenceRow['before'], look: Look) =>
  facts ? bytesText(facts.sizeBytes) : look.glyphs.none;

const COLUMNS: readonly Column<DifferenceRow>[] = [
  { title: 'PATH', width: 'grow', cut: 'middle', cell: ({ path }, look) => look.name(path) },
  {
    title: 'CHANGE',
    width: 10,
    cell: ({ is }) => WORDS[is],
    tone: ({ is }) => DIFFERENCE_TONES[is],
  },
  {
    title: 'BEFORE',
    tone: 'size',
    width: 8,
    align: 'right',
    drop: 1,
    cell: ({ before }, look) => size(before, look),
  },
  {
    title: 'AFTER',
    tone: 'size',
    width: 8,
    align: 'right',
    drop: 1,
    cell: ({ after }, look) => size(after, look),
  },
];

export interface Times {
  readonly from: number;
  /** The later point in time. Undefined means now. */
  readonly to?: number | undefined;
}

export class TimesScreen implements Screen {
  readonly scope = 'times';
  readonly actions: Actions = {};
  readonly list: ListModel<DifferenceRow>;
  readonly #ui: Ui;
  readonly #subject: Subject;
  readonly #times: Times;
  readonly #counts = { ...NONE };
  #rows: DifferenceRow[] = [];
  readonly #reading: WholeReading;
  readonly #content: EntryContent;

  constructor(ui: Ui, subject: Subject, times: Times) {
    this.#ui = ui;
    this.#subject = subject;
    this.#times = times;
    this.list = new ListModel<DifferenceRow>({ changes: ui.changes });
    this.#content = new EntryContent(ui, subject.job);
    this.#reading = new WholeReading(
      ui.link,
      (signal) => this.#read(signal),
      () => this.#changed(),
    );
  }

  get crumbs(): readonly string[] {
    return ['restore', this.#subject.job.name, this.#subject.path, 'differences'];
  }

  get note(): string {
    const { from, to } = this.#times;
    return `${timeText(from)} ${this.#ui.look.glyphs.arrow} ${to === undefined ? 'now' : timeText(to)}`;
  }

  show(): void {
    this.#reading.begin();
  }

  hide(): void {
    this.#reading.leave();
    this.#content.stop();
  }

  seen(): void {
    this.#content.follow(this.#selected);
  }

  get #selected(): EntrySubject | undefined {
    const { current } = this.list;
    if (!current) return undefined;
    const { path, before, after, is } = current;
    const row = {
      path,
      isFolder: path.endsWith('/'),
      was: before && { path, ...before },
      now: after && { path, ...after },
      is: STANDINGS[is],
    };
    return { row, at: this.#times.from, sums: undefined };
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    return current
      ? [
          { name: 'path', text: current.path },
          { name: 'JSON', text: JSON.stringify(current) },
        ]
      : [];
  }

  draw(area: Area, look: Look): readonly string[] {
    const empty = this.#reading.problem ?? (this.#reading.isDone ? 'no differences' : 'comparing');
    const table = {
      columns: COLUMNS,
      empty: look.name(empty),
      sign: ({ is }: DifferenceRow) => DIFFERENCE_SIGNS[is],
    };
    const subject = this.#selected;
    const differences = {
      list: this.list,
      listTitle: 'Differences',
      table,
      legend: this.#said(),
      title: look.name(subject ? nameOf(subject.row.path) : ''),
      details: ({ columns }: Area) =>
        subject ? entryLines(subject, subject.row.is, look, columns) : [],
      below: area.columns < WIDE_COLUMNS ? 0 : DETAIL_LINES,
      content: subject && this.#content.pane(subject, look),
    };
    return listAndDetail(area, differences, look);
  }

  #said(): string {
    const kinds = Object.keys(WORDS) as DifferenceRow['is'][];
    const counts = kinds
      .filter((is) => this.#counts[is] > 0)
      .map((is) => `${DIFFERENCE_SIGNS[is]} ${numberText(this.#counts[is])} ${WORDS[is]}`)
      .join('   ');
    const all = kinds.reduce((sum, is) => sum + this.#counts[is], 0);
    const cut =
      all > this.#rows.length ? `   the first ${numberText(this.#rows.length)} are shown` : '';
    return `${counts}${cut}${this.#reading.isDone ? '' : '   reading'} `;
  }

  async #read(signal: AbortSignal): Promise<void> {
    this.#rows = [];
    Object.assign(this.#counts, NONE);
    const { job, path } = this.#subject;
    const asked = {
      ...subjectOf(job, path),
      from: this.#times.from,
      ...defined({ to: this.#times.to }),
    };
    const { stream } = await this.#ui.call('history.compare', asked, { signal });
    const client = await this.#ui.link.client();
    for await (const row of readRows(client, { stream, row: differenceRowSchema }, signal)) {
      signal.throwIfAborted();
      this.#counts[row.is] += 1;
      if (this.#rows.length < MOST_ROWS) this.#rows.push(row);
      this.#ui.changes.soon(this.#changed);
    }
  }

  readonly #changed = (): void => {
    this.list.showAll([...this.#rows], ({ path }) => path);
  };
}
