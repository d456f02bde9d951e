/** Lists the node groups in a cluster, with the details and the latest update of the selected node group. */

import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { listAndDetail } from '../../widgets/list-detail.ts';
import { ListModel } from '../../widgets/list-model.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { Polling } from '../../data/polling.ts';
import { countText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { isChanging, readNodegroups, readUpdates, statusTone } from './cluster-data.ts';
import type { ClusterPlace, Nodegroup, Update } from './cluster-data.ts';
import { nodegroupActions } from './nodegroup-actions.ts';
import { openNewNodegroup } from './nodegroup-form.ts';
import { NodegroupScreen } from './nodegroup-screen.ts';
import { nodegroupFacts, summaryLines } from './nodegroup-text.ts';

const CHANGING_MS = 1_000;
const QUIET_MS = 5_000;
/** The number of detail lines below the list. */
const SUMMARY_ROWS = 2;

const scaling = ({ scalingConfig }: Nodegroup, name: 'desiredSize' | 'minSize' | 'maxSize') =>
  String(scalingConfig?.[name] ?? '');

const COLUMNS: readonly Column<Nodegroup>[] = [
  {
    title: 'GROUP',
    width: 'grow',
    least: 12,
    cut: 'middle',
    cell: ({ nodegroupName }, look) => look.name(nodegroupName),
  },
  {
    title: 'STATUS',
    width: 'fit',
    cell: ({ status }) => status,
    tone: ({ status }) => statusTone(status),
  },
  { title: 'DESIRED', width: 7, align: 'right', cell: (group) => scaling(group, 'desiredSize') },
  { title: 'MIN', width: 3, align: 'right', drop: 2, cell: (group) => scaling(group, 'minSize') },
  { title: 'MAX', width: 3, align: 'right', drop: 2, cell: (group) => scaling(group, 'maxSize') },
  {
    title: 'TYPE',
    width: 'fit',
    drop: 3,
    cell: ({ instanceTypes: [first = ''] }, look) => look.name(first),
  },
  { title: 'VERSION', width: 'fit', drop: 4, cell: ({ version = '' }, look) => look.name(version) },
  {
    title: 'TAINTS',
    width: 6,
    drop: 5,
    cell: ({ taints }, look) => (taints.length === 0 ? look.glyphs.none : String(taints.length)),
  },
];

export class NodegroupsScreen implements Screen {
  readonly scope = 'nodegroups';
  readonly list: ListModel<Nodegroup>;
  readonly actions: ActionsFor<'nodegroups'>;
  readonly #ui: Ui;
  readonly #place: ClusterPlace;
  readonly #polling: Polling;
  /** The latest update of the node group under the cursor. */
  #update: { readonly of: string; readonly latest: Update | undefined } | undefined;

  constructor(ui: Ui, place: ClusterPlace) {
    this.#ui = ui;
    this.#place = place;
    this.list = new ListModel<Nodegroup>({ changes: ui.changes });
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () =>
        this.#groups.some(({ status }) => isChanging(status)) ? CHANGING_MS : QUIET_MS,
      read: (signal) => this.#read(signal),
      changed: () => ui.changes.soon(),
    });
    const changed = () => this.show();
    const current = () => this.list.current;
    this.actions = {
      'nodegroups.new': { run: () => openNewNodegroup(ui, place, changed) },
      ...nodegroupActions(ui, { place, current, groups: () => this.#groups, changed }),
    };
  }

  get crumbs(): readonly string[] {
    return ['clusters', this.#place.clusterName, 'node groups'];
  }

  get note(): string {
    if (this.#polling.isFirst) return this.#ui.link.unreadText;
    const nodes = this.#groups.reduce(
      (sum, { scalingConfig }) => sum + (scalingConfig?.desiredSize ?? 0),
      0,
    );
    return `${countText(this.#groups.length, 'group')}  ${countText(nodes, 'node')}`;
  }

  show(): void {
    this.#polling.start();
  }

  hide(): void {
    this.#polling.stop();
  }

  open(): void {
    const group = this.list.current;
    if (group) this.#ui.router.open(new NodegroupScreen(this.#ui, this.#place, group));
  }

  copyables(): readonly Copyable[] {
    const group = this.list.current;
    if (!group) return [];
    const { nodegroupName, nodegroupArn } = group;
    return [
      { name: 'name', text: nodegroupName },
      ...(nodegroupArn === undefined ? [] : [{ name: 'ARN', text: nodegroupArn }]),
      { name: 'JSON', text: JSON.stringify(group, undefined, 2) },
    ];
  }

  get #groups(): readonly Nodegroup[] {
    const { rows } = this.list;
    return Array.from({ length: rows.count }, (_, index) => rows.row(index)).filter(
      (row) => row !== undefined,
    );
  }

  async #read(signal: AbortSignal): Promise<void> {
    const groups = await readNodegroups(this.#ui, this.#place, signal);
    this.list.showAll(groups, ({ nodegroupName }) => nodegroupName);
    const of = this.list.current?.nodegroupName;
    if (of === undefined) return;
    const place = { ...this.#place, nodegroupName: of };
    const [latest] = await readUpdates(this.#ui, place, { most: 1, signal });
    this.#update = { of, latest };
  }

  draw(area: Area, look: Look): readonly string[] {
    const empty = this.#polling.isFirst
      ? this.#ui.link.unreadText
      : 'no node groups; press n to create one';
    const { problem } = this.#polling;
    const said = problem === undefined ? '' : look.paint('bad', look.name(problem));
    const group = this.list.current;
    const latest = this.#update?.of === group?.nodegroupName ? this.#update?.latest : undefined;
    const lines = (inner: Area) => {
      if (!group) return [];
      return inner.rows > SUMMARY_ROWS
        ? nodegroupFacts({ group, latest }, inner.columns, look)
        : summaryLines(group, latest, look);
    };
    return listAndDetail(
      area,
      {
        list: this.list,
        listTitle: 'Node groups',
        table: { columns: COLUMNS, empty },
        title: group ? look.name(group.nodegroupName) : 'Node group',
        details: lines,
        below: SUMMARY_ROWS,
        legend: said,
      },
      look,
    );
  }
}
