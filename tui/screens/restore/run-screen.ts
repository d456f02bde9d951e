/** Shows the progress and the result of a restore, including the files that were not restored. */

import type { Problem } from './run-result.ts';
import { resultLines, problemsOf } from './run-result.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { bar, paintedBar } from '../../widgets/charts.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { listPane } from '../../widgets/list-detail.ts';
import { framed } from '../../widgets/panes.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { wrap } from '../../text/width.ts';
import { bytesText, countText, numberText, percentText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { shareOf } from './restore-run.ts';
import type { RestoreRun, RunState } from './restore-run.ts';

const COLUMNS: readonly Column<Problem>[] = [
  {
    title: 'NOT RESTORED AS IT WAS',
    width: 'grow',
    cut: 'middle',
    cell: ({ path }, look) => look.name(path),
  },
  {
    title: 'WHY',
    width: 'fit',
    least: 40,
    most: 200,
    cell: ({ message }, look) => look.name(message),
  },
];

const TITLES: Readonly<Record<RunState, string>> = {
  running: 'restoring',
  lost: 'the connection is lost: the restore continues in the daemon',
  done: 'restored',
  stopped: 'stopped: restored files stay',
  failed: 'not restored',
};

/** The height of a frame with the column headings and three rows. */
const LEAST_LIST = 6;

export class RunScreen implements Screen {
  readonly scope = 'run';
  readonly crumbs = ['restore', 'run'];
  readonly #problems: ListModel<Problem>;
  readonly #ui: Ui;
  #run: RestoreRun;
  #stop: (() => void) | undefined;

  constructor(ui: Ui, run: RestoreRun) {
    this.#ui = ui;
    this.#run = run;
    this.#problems = new ListModel<Problem>({ changes: ui.changes, canMark: () => false });
  }

  readonly actions: ActionsFor<'run'> = {
    'run.stop': {
      why: () => (this.#run.state === 'running' ? undefined : 'it has ended'),
      ask: () => ({
        title: 'Stop the restore?',
        facts: ['Restored files stay. Another restore continues from there.'],
      }),
      run: () => this.#run.stop(),
    },
    'run.again': {
      why: () =>
        this.#run.canRepeat ? undefined : 'only a restore that was started here and has ended',
      run: () => {
        this.#run = this.#run.again();
        this.#run.start();
        this.#take();
      },
    },
  };

  /** The problems of the restore. Without problems, the screen has no list. */
  get list(): ListModel<Problem> | undefined {
    return this.#problems.rows.count > 0 || this.#problems.filter ? this.#problems : undefined;
  }

  get isOver(): boolean {
    return this.#run.state !== 'running' && this.#run.state !== 'lost';
  }

  show(): void {
    this.hide();
    this.#stop = this.#ui.changes.subscribe(() => this.#take());
    this.#take();
  }

  hide(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  copyables(): readonly Copyable[] {
    const { current } = this.#problems;
    const { results } = this.#run;
    return [
      ...(current ? [{ name: 'problem', text: `${current.path}: ${current.message}` }] : []),
      ...(results.length > 0 ? [{ name: 'result as JSON', text: JSON.stringify(results) }] : []),
    ];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const { state, failure, what } = this.#run;
    const title = look.paint(state === 'failed' ? 'bad' : 'strong', TITLES[state]);
    const lines = [
      ...(what === undefined ? [] : wrap(look.name(what), columns - 4)),
      title,
      ...(failure === undefined
        ? []
        : wrap(look.name(failure), columns - 4).map((line) => look.paint('bad', line))),
      ...this.#progressLines(columns, look),
      ...resultLines(this.#run.results, columns - 4, look),
    ].map((line) => ` ${line}`);
    const known = { title: 'Restore', width: columns, draw: () => lines };
    if (!this.list) return framed([{ height: rows, panes: [known] }], look);
    const height = Math.max(LEAST_LIST, rows - lines.length - 1);
    const table = { columns: COLUMNS, empty: 'no problem' };
    const problems = listPane(this.list, { title: 'Problems', width: columns, table }, look);
    return framed(
      [
        { height: rows - height, panes: [known] },
        { height, panes: [problems] },
      ],
      look,
    );
  }

  #progressLines(columns: number, look: Look): string[] {
    const { state, progress, count, results } = this.#run;
    const which =
      count > 1
        ? `${numberText(results.length)} of ${countText(count, 'restore')} done`
        : undefined;
    if (state !== 'running' && state !== 'lost') return which === undefined ? [] : [which];
    if (!progress) return [which ?? 'comparing files'];
    const { files, bytes, totalFiles = 0, totalBytes = 0 } = progress;
    const share = shareOf(progress);
    const width = Math.min(50, columns - 10);
    const amounts = `${numberText(files)} of ${countText(totalFiles, 'file')}, ${bytesText(bytes)} of ${bytesText(totalBytes)}`;
    return [
      ...(which === undefined ? [] : [which]),
      `${paintedBar(bar(share, width, look), 'accent', look)} ${percentText(share)}`,
      amounts,
    ];
  }

  #taken = -1;

  /** Adds the problems that the restore results contain to the list. */
  #take(): void {
    const { results } = this.#run;
    if (this.#taken === results.length && results.length > 0) return;
    if (this.#taken === results.length && this.#problems.rows.count === 0) return;
    this.#taken = results.length;
    this.#problems.showAll(
      problemsOf(results),
      ({ path, message }) => `${path}\0${message}`,
      ({ path, message }) => `${path} ${message}`,
    );
  }
}
