/** Shows one node group: its details, its health and its updates. */

import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { framed } from '../../widgets/panes.ts';
import { LEAST_DETAIL, listPane, listWidth, WIDE_COLUMNS } from '../../widgets/list-detail.ts';
import { ListModel } from '../../widgets/list-model.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { Polling } from '../../data/polling.ts';
import { minuteText, timeText } from '../../../src/text/time.ts';
import type { Look, Tone } from '../../theme/look.ts';
import { isChanging, readUpdates, statusTone } from './cluster-data.ts';
import type { ClusterPlace, Nodegroup, Update } from './cluster-data.ts';
import { nodegroupActions } from './nodegroup-actions.ts';
import { nodegroupFacts } from './nodegroup-text.ts';

const CHANGING_MS = 1_000;
const QUIET_MS = 5_000;
const MOST_UPDATES = 100;
const FRAME = 2;
/** The number of characters of the year, which a narrow column omits from a time. */
const YEAR_CELLS = '2026-'.length;
/** The minimum height of the list of updates below the facts, with its frame and headings. */
const LEAST_UPDATES = 5;

const COLUMNS: readonly Column<Update>[] = [
  {
    title: 'STARTED',
    tone: 'date',
    width: 19,
    short: {
      width: 11,
      cell: ({ createdAt }, look) =>
        createdAt === undefined ? look.glyphs.none : minuteText(createdAt).slice(YEAR_CELLS),
    },
    cell: ({ createdAt }, look) =>
      createdAt === undefined ? look.glyphs.none : timeText(createdAt),
  },
  { title: 'TYPE', width: 'fit', cell: ({ type }, look) => look.name(type) },
  { title: 'STATUS', width: 'fit', cell: ({ status }, look) => look.name(status), tone: toneOf },
  { title: 'CHANGE', width: 'grow', cell: (update, look) => look.name(whatOf(update)) },
];

export class NodegroupScreen implements Screen {
  readonly scope = 'nodegroup';
  readonly list: ListModel<Update>;
  readonly actions: ActionsFor<'nodegroup'>;
  readonly #place: ClusterPlace;
  readonly #polling: Polling;
  #group: Nodegroup;

  constructor(ui: Ui, place: ClusterPlace, group: Nodegroup) {
    this.#place = place;
    this.#group = group;
    this.list = new ListModel<Update>({ changes: ui.changes });
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () => (isChanging(this.#group.status) ? CHANGING_MS : QUIET_MS),
      read: (signal) => this.#read(ui, signal),
      changed: () => ui.changes.soon(),
    });
    const changed = () => this.show();
    this.actions = nodegroupActions(ui, {
      place,
      current: () => this.#group,
      groups: () => [this.#group],
      changed,
    });
  }

  get crumbs(): readonly string[] {
    return ['clusters', this.#place.clusterName, 'node groups', this.#group.nodegroupName];
  }

  get note(): string {
    return this.#group.status;
  }

  show(): void {
    this.#polling.start();
  }

  hide(): void {
    this.#polling.stop();
  }

  copyables(): readonly Copyable[] {
    const update = this.list.current;
    return [
      { name: 'name', text: this.#group.nodegroupName },
      ...(update ? [{ name: 'id of the update', text: update.id }] : []),
      { name: 'JSON', text: JSON.stringify(this.#group, undefined, 2) },
    ];
  }

  async #read(ui: Ui, signal: AbortSignal): Promise<void> {
    const place = { ...this.#place, nodegroupName: this.#group.nodegroupName };
    this.#group = await ui.call('nodegroups.describe', place, { signal });
    const updates = await readUpdates(ui, place, { most: MOST_UPDATES, signal });
    this.list.showAll(
      updates,
      ({ id }) => id,
      (update) => `${update.type} ${update.status} ${whatOf(update)}`,
    );
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const room = columns - FRAME - listWidth(this.list, COLUMNS, rows, look);
    const isWide = columns >= WIDE_COLUMNS && room >= LEAST_DETAIL;
    const problem = this.#polling.problem;
    const said = problem === undefined ? [] : [look.paint('bad', ` ${look.name(problem)}`)];
    const width = isWide ? Math.min(room, Math.floor(columns * 0.45)) : columns;
    const most = isWide ? rows - FRAME : rows - LEAST_UPDATES - 1 - said.length;
    const known = fittingFacts(this.#group, { columns: width - 4, rows: most }, look);
    const lines = [...said, ...known.map((line) => ` ${line}`)];
    const height = isWide ? rows : Math.min(lines.length + 1, rows - LEAST_UPDATES);
    const detail = { title: look.name(this.#group.nodegroupName), width, draw: () => lines };
    const table = { columns: COLUMNS, empty: 'no updates; press e to change the node group' };
    const size = { width: isWide ? columns - width : columns };
    const updates = listPane(this.list, { title: 'Updates', table, ...size }, look);
    if (isWide) return framed([{ height: rows, panes: [detail, updates] }], look);
    return framed(
      [
        { height, panes: [detail] },
        { height: rows - height, panes: [updates] },
      ],
      look,
    );
  }
}

/** Returns the facts of the node group. If they do not fit, the facts without a value are omitted. */
function fittingFacts(group: Nodegroup, { columns, rows }: Area, look: Look): readonly string[] {
  const all = nodegroupFacts({ group }, columns, look);
  return all.length <= rows ? all : nodegroupFacts({ group, omitsEmpty: true }, columns, look);
}

function whatOf({ params, errors }: Update): string {
  const [error] = errors;
  if (error) return `${error.errorCode}: ${error.errorMessage}`;
  return params.map(({ type, value }) => `${type} ${value}`).join(', ');
}

function toneOf({ status }: Update): Tone {
  return status === 'InProgress' ? 'attention' : statusTone(status);
}
