/** Shows the dry run of a restore, path by path. This screen writes no files. */

import { readRows } from '../../../src/control/rows.ts';
import { restoreRowSchema } from '../../../src/control/methods/restore.ts';
import type { RestoreRow } from '../../../src/control/methods/restore.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { framedList } from '../../widgets/list-detail.ts';
import type { Question } from '../../commands/command.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { WholeReading } from '../../data/whole-reading.ts';
import { bytesText, countText, numberText } from '../../../src/text/amounts.ts';
import { timeText } from '../../../src/text/time.ts';
import { shortPath } from '../../text/home-path.ts';
import { wrap } from '../../text/width.ts';
import type { Look, Tone } from '../../theme/look.ts';
import type { RestoreRequest } from './restore-run.ts';
import { RestoreRun } from './restore-run.ts';
import { RunScreen } from './run-screen.ts';

/** The screen lists at most this many rows. It only counts the remaining rows. */
const MOST_ROWS = 20_000;

const NOTHING = 'all files exist already: nothing to write';

export interface PlanRow extends RestoreRow {
  /** The folder that receives the restored files. */
  readonly to: string;
}

type Is = RestoreRow['is'];

const SIGNS: Readonly<Record<Is, string>> = {
  new: '+',
  replace: '~',
  keep: ' ',
  later: '-',
  problem: '!',
};
const TEXTS: Readonly<Record<Is, string>> = {
  new: 'create',
  replace: 'replace',
  keep: 'exists',
  later: 'remove',
  problem: 'not restored',
};
const TONES: Readonly<Record<Is, Tone>> = {
  new: 'added',
  replace: 'attention',
  keep: 'dim',
  later: 'attention',
  problem: 'bad',
};

const COLUMNS: readonly Column<PlanRow>[] = [
  {
    title: 'PATH',
    width: 'grow',
    cut: 'middle',
    cell: ({ path, message }, look) =>
      look.name(message === undefined ? path : `${path}: ${message}`),
  },
  {
    title: 'SIZE',
    tone: 'size',
    width: 8,
    align: 'right',
    cell: ({ sizeBytes }, look) =>
      sizeBytes === undefined ? look.glyphs.none : bytesText(sizeBytes),
  },
  { title: 'ACTION', width: 12, cell: ({ is }) => TEXTS[is], tone: ({ is }) => TONES[is] },
];

export class PlanScreen implements Screen {
  readonly scope = 'plan';
  readonly crumbs = ['restore', 'dry run'];
  readonly list: ListModel<PlanRow>;
  readonly #ui: Ui;
  readonly #requests: readonly RestoreRequest[];
  readonly #counts = { new: 0, replace: 0, keep: 0, later: 0, problem: 0 };
  #bytes = 0;
  readonly #places = new Set<string>();
  #rows: PlanRow[] = [];
  #showsKept = false;
  readonly #reading: WholeReading;

  constructor(ui: Ui, requests: readonly RestoreRequest[]) {
    this.#ui = ui;
    this.#requests = requests;
    this.list = new ListModel<PlanRow>({ changes: ui.changes });
    this.#reading = new WholeReading(
      ui.link,
      (signal) => this.#read(signal),
      () => this.#changed(),
    );
  }

  readonly actions: ActionsFor<'plan'> = {
    'plan.run': {
      why: () =>
        this.#reading.isDone
          ? this.#whyNothing
          : (this.#reading.problem ?? 'the dry run has not ended'),
      ask: () => this.#ask(),
      run: () => this.#run(),
    },
    'plan.kept': {
      run: () => {
        this.#showsKept = !this.#showsKept;
        this.#changed();
      },
    },
  };

  /** Why a restore would have no effect. Undefined if it would write, move or report a file. */
  get #whyNothing(): string | undefined {
    const { new: fresh, replace, later, problem } = this.#counts;
    return fresh + replace + later + problem === 0 ? NOTHING : undefined;
  }

  get note(): string {
    if (this.#reading.problem !== undefined) return 'the dry run failed';
    return this.#reading.isDone ? 'dry run: nothing is written' : 'comparing';
  }

  show(): void {
    this.#reading.begin();
  }

  hide(): void {
    this.#reading.leave();
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    return current
      ? [
          { name: 'path', text: `${current.to}/${current.path}` },
          { name: 'JSON', text: JSON.stringify(current) },
        ]
      : [];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    // The target folder and the point in time are wrapped, because the user must be able to read them in full.
    const head = this.#facts().flatMap((fact, index) =>
      wrap(fact, columns - 2).map((line) => {
        return index === 0 ? look.paint('strong', ` ${line}`) : ` ${line}`;
      }),
    );
    const table = {
      columns: COLUMNS,
      empty: look.name(this.#reading.problem ?? (this.#reading.isDone ? NOTHING : 'comparing')),
      sign: ({ is }: PlanRow) => SIGNS[is],
    };
    const changes = { list: this.list, title: 'Changes', table, legend: this.#cut() };
    return [...head, ...framedList({ columns, rows: rows - head.length }, changes, look)];
  }

  /** Returns the totals of the dry run. The texts are safe to draw. */
  #facts(): readonly string[] {
    const { new: fresh, replace, keep, later, problem } = this.#counts;
    const [first] = this.#requests;
    const when = first?.at === undefined ? 'as it is now' : `as of ${timeText(first.at)}`;
    const { look, outside } = this.#ui;
    const places = [...this.#places].map((place) => look.name(shortPath(place, outside.userHome)));
    const more = places.length > 1 ? ` and ${countText(places.length - 1, 'other folder')}` : '';
    return [
      `would restore to ${places[0] ?? '...'}${more}, ${when}`,
      `${countText(fresh + replace, 'file')}, ${bytesText(this.#bytes)} at most; ${numberText(keep)} ${keep === 1 ? 'exists' : 'exist'} already`,
      ...(replace > 0 ? [`${countText(replace, 'file')} would be replaced`] : []),
      ...(later > 0 ? [`${countText(later, 'file')} created since would be removed`] : []),
      ...(problem > 0
        ? [`! ${countText(problem, 'path')} cannot be restored, or only under another name`]
        : []),
    ];
  }

  #cut(): string {
    const all = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    return all > MOST_ROWS ? `of ${numberText(all)}, the first ${numberText(MOST_ROWS)} ` : '';
  }

  async #read(signal: AbortSignal): Promise<void> {
    this.#rows = [];
    this.#bytes = 0;
    Object.assign(this.#counts, { new: 0, replace: 0, keep: 0, later: 0, problem: 0 });
    for (const request of this.#requests) {
      const { to, stream } = await this.#ui.call('restore.plan', request, { signal });
      this.#places.add(to);
      const client = await this.#ui.link.client();
      for await (const row of readRows(client, { stream, row: restoreRowSchema }, signal)) {
        signal.throwIfAborted();
        this.#take(row, to);
      }
    }
  }

  #take(row: RestoreRow, to: string): void {
    this.#counts[row.is] += 1;
    if (row.is === 'new' || row.is === 'replace') this.#bytes += row.sizeBytes ?? 0;
    // Problems are always listed, even beyond the limit.
    if (this.#rows.length < MOST_ROWS || row.is === 'problem')
      this.#rows.push(Object.assign({ to }, row));
    this.#ui.changes.soon(this.#changed);
  }

  readonly #changed = (): void => {
    const rows = this.#showsKept ? [...this.#rows] : this.#rows.filter(({ is }) => is !== 'keep');
    this.list.showAll(
      rows,
      ({ to, path, is }) => `${to}\0${path}\0${is}`,
      ({ path, is }) => `${TEXTS[is]} ${path}`,
    );
  };

  #ask(): Question {
    const { problem, later } = this.#counts;
    return {
      title: 'Restore?',
      facts: [
        ...this.#facts(),
        ...(later > 0
          ? ['Files created since are moved into a folder beside the target; nothing is deleted.']
          : []),
        ...(problem > 0 ? ['The result lists the files that are not restored.'] : []),
      ],
    };
  }

  #run(): void {
    const run = new RestoreRun(
      this.#ui,
      this.#requests.map((asked) => ({ method: 'restore.run' as const, asked })),
    );
    run.start();
    this.#ui.router.back();
    this.#ui.router.open(new RunScreen(this.#ui, run));
  }
}
