/**
 * Shows the differences between two sides: the file and the object in a conflict, or two versions
 * of an object.
 */

import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { framedList } from '../../widgets/list-detail.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { whenUp } from '../../data/when-up.ts';
import { outcomeOf } from '../../data/outcome.ts';
import { bytesText } from '../../../src/text/amounts.ts';
import { widthOf } from '../../text/width.ts';
import type { Look, Tone } from '../../theme/look.ts';
import { diffRows, SIGNS, TONES } from './diff-rows.ts';
import type { DiffRow, DiffSide } from './diff-rows.ts';

/** The number of bytes that are read from each side. */
export const DIFF_BYTES = 256 * 1024;

/** The space between the names of both sides on one line. */
const BETWEEN = '   ';

export interface DiffOptions {
  readonly crumbs: readonly string[];
  /** Reads both sides. The older or local side comes first. */
  readonly read: (signal: AbortSignal) => Promise<readonly [DiffSide, DiffSide]>;
}

const tone = ({ is }: DiffRow): Tone => TONES[is];
const number = (line: number | undefined): string => (line === undefined ? '' : String(line));

const COLUMNS: readonly Column<DiffRow>[] = [
  { title: '', width: 5, align: 'right', drop: 1, cell: ({ before }) => number(before) },
  { title: '', width: 5, align: 'right', drop: 1, cell: ({ after }) => number(after) },
  {
    title: '',
    width: 'grow',
    cell: ({ is, text }, look) => {
      const sign = is === 'left out' ? look.glyphs.ellipsis : SIGNS[is];
      return `${sign} ${look.name(text.replaceAll('\t', '    '))}`;
    },
    tone,
  },
];

export class DiffScreen implements Screen {
  readonly scope = 'diff';
  readonly crumbs: readonly string[];
  readonly list: ListModel<DiffRow>;
  readonly #ui: Ui;
  readonly #options: DiffOptions;
  #sides: readonly [DiffSide, DiffSide] | undefined;
  #problem: string | undefined;
  #isWhole = false;
  /** Whether all lines are shown. Undefined until the user decides: then they are shown if they all fit. */
  #whole: boolean | undefined;
  #reading: AbortController | undefined;
  #stop: (() => void) | undefined;

  constructor(ui: Ui, options: DiffOptions) {
    this.#ui = ui;
    this.#options = options;
    this.crumbs = options.crumbs;
    this.list = new ListModel<DiffRow>({ changes: ui.changes, canMark: () => false });
  }

  readonly actions: ActionsFor<'diff'> = {
    'diff.next': { run: () => this.#toDifference(1) },
    'diff.previous': { run: () => this.#toDifference(-1) },
    'diff.whole': {
      run: () => {
        this.#whole = !this.#isWhole;
        this.#compare();
      },
    },
  };

  get note(): string {
    if (!this.#sides) return '';
    const [before, after] = this.#sides.map(({ sizeBytes }) => bytesText(sizeBytes));
    return `- ${before}   + ${after}`;
  }

  show(): void {
    this.hide();
    this.#stop = whenUp(this.#ui.link, () => void this.#read());
  }

  hide(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#reading?.abort();
    this.#reading = undefined;
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    const text = () =>
      Promise.resolve(this.#rows.map((row) => SIGNS[row.is] + row.text).join('\n'));
    return [
      ...(current ? [{ name: 'line', text: current.text }] : []),
      { name: 'all lines', text },
    ];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const empty = this.#problem ?? (this.#sides ? 'nothing to compare' : 'reading both sides');
    const [before, after] = (this.#sides ?? []).map(({ name }) => look.name(name));
    const names = [`- ${before ?? ''}`, `+ ${after ?? ''}`] as const;
    const isWide = widthOf(names.join(BETWEEN)) < columns;
    const sides = names.map((name, index) =>
      look.paint(index === 0 ? 'removed' : 'added', look.cut(name, columns - 1, 'middle')),
    );
    const head = isWide ? [sides.join(BETWEEN)] : sides;
    const table = { columns: COLUMNS, titles: false, empty: look.name(empty) };
    const differences = { list: this.list, title: 'Difference', table };
    const area = { columns, rows: rows - head.length };
    return [...head.map((line) => ` ${line}`), ...framedList(area, differences, look)];
  }

  async #read(): Promise<void> {
    const reading = new AbortController();
    this.#reading = reading;
    const { value, problem } = await outcomeOf(this.#options.read(reading.signal)).catch(() => ({
      value: undefined,
      problem: undefined,
    }));
    if (this.#reading !== reading) return;
    this.#sides = value ?? this.#sides;
    this.#problem = problem;
    this.#compare();
  }

  #compare(): void {
    if (!this.#sides) return this.#ui.changes.soon();
    const all = diffRows(...this.#sides, { whole: true, hex: true });
    this.#isWhole = this.#whole ?? all.length <= this.list.height;
    const rows = this.#isWhole ? all : diffRows(...this.#sides, { whole: false, hex: true });
    const places = new Map(rows.map((row, index) => [row, String(index)]));
    this.list.showAll(
      rows,
      (row) => places.get(row) ?? '',
      ({ text }) => text,
    );
  }

  get #rows(): readonly DiffRow[] {
    const { rows } = this.list;
    return Array.from({ length: rows.count }, (_, index) => rows.row(index)).filter(
      (row) => row !== undefined,
    );
  }

  /** Moves to the start of the next or previous difference. */
  #toDifference(step: 1 | -1): void {
    const rows = this.#rows;
    const differs = (index: number) => ['added', 'removed'].includes(rows[index]?.is ?? '');
    for (let at = this.list.cursor + step; at >= 0 && at < rows.length; at += step) {
      if (differs(at) && !differs(at - 1)) return this.list.moveTo(at);
    }
    this.#ui.warn(step > 0 ? 'no difference after this one' : 'no difference before this one');
  }
}
