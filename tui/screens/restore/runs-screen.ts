/** Lists the running restores of all clients, and the latest finished restores. */

import type { Result } from '../../../src/control/messages.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { framedList } from '../../widgets/list-detail.ts';
import type { Column } from '../../widgets/column-widths.ts';
import type { Actions } from '../../commands/command.ts';
import { Polling } from '../../data/polling.ts';
import { bytesText, countText, numberText } from '../../../src/text/amounts.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { Look, Tone } from '../../theme/look.ts';
import { RestoreRun } from './restore-run.ts';
import { RunScreen } from './run-screen.ts';

type Run = Result<'restores.list'>['runs'][number];

const AGAIN_MS = 1_000;

const TONES: Readonly<Record<Run['state'], Tone>> = {
  running: 'accent',
  done: 'good',
  failed: 'bad',
  stopped: 'attention',
};

const COLUMNS: readonly Column<Run>[] = [
  { title: 'STARTED', width: 16, drop: 2, cell: ({ startedAt }) => minuteText(startedAt) },
  {
    title: 'WHAT',
    width: 'grow',
    least: 32,
    cut: 'middle',
    cell: (run, look) => look.name(whatOf(run)),
  },
  {
    title: 'AS OF',
    width: 16,
    drop: 1,
    cell: ({ at }) => (at === undefined ? 'now' : minuteText(at)),
  },
  { title: 'FILES', width: 9, align: 'right', drop: 3, cell: ({ files }) => numberText(files) },
  { title: 'BYTES', tone: 'size', width: 8, align: 'right', cell: ({ bytes }) => bytesText(bytes) },
  { title: 'STATE', width: 12, cell: stateText, tone: ({ state }) => TONES[state] },
];

function whatOf({ job, path, paths, to, isUndo }: Run): string {
  const folder = path === undefined ? job : `${job}/${path}`;
  const what = paths ? `${countText(paths.length, 'path')} of ${folder}` : folder;
  const where = to === undefined ? '' : ` to ${to}`;
  return `${isUndo ? 'undo ' : ''}${what}${where}`;
}

function stateText({ state, problemCount = 0 }: Run): string {
  return problemCount > 0 ? countText(problemCount, 'problem') : state;
}

export class RunsScreen implements Screen {
  readonly scope = 'runs';
  readonly crumbs = ['restore', 'runs'];
  readonly actions: Actions = {};
  readonly list: ListModel<Run>;
  readonly #ui: Ui;
  readonly #polling: Polling;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.list = new ListModel<Run>({ changes: ui.changes, canMark: () => false });
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () => AGAIN_MS,
      read: async (signal) => {
        const { runs } = await ui.call('restores.list', {}, { signal });
        this.list.showAll(runs, ({ id }) => id, whatOf);
      },
      changed: () => ui.changes.soon(),
    });
  }

  show(): void {
    this.#polling.start();
  }

  hide(): void {
    this.#polling.stop();
  }

  open(): void {
    const { current } = this.list;
    if (!current) return;
    const run = new RestoreRun(this.#ui, [], current.id);
    run.find();
    this.#ui.router.open(new RunScreen(this.#ui, run));
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    return current ? [{ name: 'JSON', text: JSON.stringify(current) }] : [];
  }

  draw(area: Area, look: Look): readonly string[] {
    const { problem, isFirst } = this.#polling;
    const empty =
      problem ?? (isFirst ? this.#ui.link.unreadText : 'no restore since the daemon started');
    const table = { columns: COLUMNS, empty: look.name(empty) };
    return framedList(area, { list: this.list, title: 'Restores', table }, look);
  }
}
