/** Lists the clusters of all services. */

import { defined } from '../../../src/base/defined.ts';
import type { Params } from '../../../src/control/messages.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { required } from '../../widgets/field-checks.ts';
import { facts } from '../../widgets/facts.ts';
import { FormOverlay } from '../../widgets/form.ts';
import type { Field, FormValues } from '../../widgets/form.ts';
import { listAndDetail } from '../../widgets/list-detail.ts';
import { ListModel } from '../../widgets/list-model.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { about } from '../../commands/about.ts';
import type { Question } from '../../commands/command.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { live } from '../../commands/live.ts';
import { Polling } from '../../data/polling.ts';
import { countText } from '../../../src/text/amounts.ts';
import { minuteText } from '../../../src/text/time.ts';
import { pairsOf, pairsProblem, pairsText, wordsOf } from '../../text/pairs.ts';
import type { Look } from '../../theme/look.ts';
import { ClusterLists, isChanging, placeOf, readNodegroups, statusTone } from './cluster-data.ts';
import type { ClusterRow } from './cluster-data.ts';
import { healthText } from './health.ts';
import { NodegroupsScreen } from './nodegroups-screen.ts';
import { openTags } from './tags.ts';

const NONE = 'no cluster is selected';
const CHANGING_MS = 1_000;
const QUIET_MS = 5_000;
/** The number of detail lines below the list. */
const DETAIL_ROWS = 5;

const COLUMNS: readonly Column<ClusterRow>[] = [
  {
    title: 'CLUSTER',
    width: 'grow',
    cut: 'middle',
    cell: ({ clusterName }, look) => look.name(clusterName),
  },
  {
    title: 'SERVICE',
    width: 'fit',
    drop: 2,
    cell: ({ service }, look) => look.name(service ?? 'local'),
  },
  {
    title: 'STATUS',
    width: 'fit',
    cell: ({ cluster }) => cluster.status,
    tone: ({ cluster }) => statusTone(cluster.status),
  },
  {
    title: 'VERSION',
    width: 8,
    drop: 1,
    cell: ({ cluster }, look) => look.name(cluster.version ?? look.glyphs.none),
  },
  {
    title: 'CREATED',
    tone: 'date',
    width: 16,
    drop: 3,
    cell: ({ cluster }, look) =>
      cluster.createdAt === undefined ? look.glyphs.none : minuteText(cluster.createdAt),
  },
];

export class ClustersScreen implements Screen {
  readonly scope = 'clusters';
  readonly crumbs = ['clusters'];
  readonly list: ListModel<ClusterRow>;
  readonly #ui: Ui;
  readonly #polling: Polling;
  readonly #lists: ClusterLists;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#lists = new ClusterLists(ui);
    this.list = new ListModel<ClusterRow>({ changes: ui.changes });
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () => (this.#isChanging ? CHANGING_MS : QUIET_MS),
      read: (signal) => this.#read(signal),
      changed: () => ui.changes.soon(),
    });
  }

  readonly actions: ActionsFor<'clusters'> = {
    'clusters.new': { run: () => this.#create() },
    'clusters.tags': {
      why: () => this.#whyNone,
      run: () => {
        const row = this.list.current;
        if (!row) return;
        const { arn, tags } = row.cluster;
        openTags(this.#ui, { ...placeOf(row), name: row.clusterName, arn, tags }, () =>
          this.show(),
        );
      },
    },
    'clusters.delete': about(
      () => this.list.current,
      () => NONE,
      {
        ask: (row) => live((signal) => this.#askDelete(row, signal)),
        run: (row) => this.#delete(row),
      },
    ),
  };

  get #whyNone(): string | undefined {
    return this.list.current ? undefined : NONE;
  }

  get #isChanging(): boolean {
    const { rows } = this.list;
    for (let index = 0; index < rows.count; index += 1) {
      if (isChanging(rows.row(index)?.cluster.status ?? '')) return true;
    }
    return false;
  }

  show(): void {
    this.#polling.start();
  }

  hide(): void {
    this.#polling.stop();
  }

  open(): void {
    const row = this.list.current;
    if (row) this.#ui.router.open(new NodegroupsScreen(this.#ui, placeOf(row)));
  }

  copyables(): readonly Copyable[] {
    const row = this.list.current;
    if (!row) return [];
    return [
      { name: 'name', text: row.clusterName },
      ...(row.cluster.arn === undefined ? [] : [{ name: 'ARN', text: row.cluster.arn }]),
      { name: 'JSON', text: JSON.stringify(row.cluster, undefined, 2) },
    ];
  }

  async #read(signal: AbortSignal): Promise<void> {
    const id = ({ service = '', clusterName }: ClusterRow) => `${service}/${clusterName}`;
    await this.#lists.read(signal, () => this.list.showAll(this.#lists.rows(), id));
  }

  #create(): void {
    const fields: readonly Field[] = [
      {
        name: 'name',
        label: 'name',
        help: 'letters, digits, - and _; at most 100',
        check: required,
      },
      { name: 'version', label: 'version', help: 'empty: the latest version' },
      { name: 'subnets', label: 'subnets', help: 'names, separated by spaces' },
      { name: 'tags', label: 'tags', help: 'KEY=VALUE, separated by spaces', check: pairsProblem },
      {
        name: 'service',
        label: 'service',
        value: this.list.current?.service ?? '',
        help: 'a service from config.yaml; empty: this machine',
      },
    ];
    const submit = async (values: FormValues) => {
      await this.#ui.call('clusters.create', newCluster(values));
      this.#ui.notify(`creating cluster ${values['name']}`);
      this.show();
    };
    this.#ui.openOverlay(
      new FormOverlay(this.#ui, { title: 'New cluster', act: 'create', fields, submit }),
    );
  }

  async #askDelete(row: ClusterRow, signal = AbortSignal.timeout(ASK_MS)): Promise<Question> {
    const groups = await readNodegroups(this.#ui, placeOf(row), signal);
    const nodes = groups.reduce(
      (sum, { scalingConfig }) => sum + (scalingConfig?.desiredSize ?? 0),
      0,
    );
    return {
      title: `Delete cluster ${this.#ui.look.name(row.clusterName)}?`,
      facts: [
        `It has ${countText(groups.length, 'node group')} with ${countText(nodes, 'node')}.`,
        ...(groups.length > 0
          ? ['The service refuses to delete a cluster that has node groups.']
          : []),
        'This cannot be undone.',
      ],
      type: row.clusterName,
    };
  }

  async #delete(row: ClusterRow): Promise<void> {
    await this.#ui.call('clusters.delete', placeOf(row));
    this.#ui.notify(`deleting cluster ${row.clusterName}`);
    this.show();
  }

  draw(area: Area, look: Look): readonly string[] {
    const empty = this.#polling.isFirst
      ? this.#ui.link.unreadText
      : 'no clusters; press n to create one';
    const problem = this.#polling.problem ?? this.#lists.problems[0];
    const said = problem === undefined ? '' : look.paint('bad', look.name(problem));
    const row = this.list.current;
    return listAndDetail(
      area,
      {
        list: this.list,
        listTitle: 'Clusters',
        table: { columns: COLUMNS, empty },
        title: row ? look.name(row.clusterName) : 'Cluster',
        details: (inner) => (row ? detailLines(row, inner.columns, look) : []),
        below: DETAIL_ROWS,
        legend: said,
      },
      look,
    );
  }
}

/** The timeout for loading the facts that a question shows. */
const ASK_MS = 10_000;

function newCluster(values: FormValues): Params<'clusters.create'> {
  const [subnets, tags] = [wordsOf(values['subnets'] ?? ''), values['tags'] ?? ''];
  return defined({
    name: (values['name'] ?? '').trim(),
    version: values['version'] || undefined,
    resourcesVpcConfig: subnets.length > 0 ? { subnetIds: subnets } : undefined,
    tags: tags.trim() === '' ? undefined : pairsOf(tags),
    service: values['service'] || undefined,
  });
}

function detailLines({ cluster }: ClusterRow, width: number, look: Look): string[] {
  const { resourcesVpcConfig: vpc, kubernetesNetworkConfig: network } = cluster;
  const name = (text: string | undefined) => look.name(text ?? '');
  return facts(
    [
      ['status', look.paint(statusTone(cluster.status), cluster.status)],
      ['health', healthText(cluster.health, look)],
      ['version', [cluster.version, cluster.platformVersion].map(name).join(' ').trim()],
      ['subnets', name(vpc.subnetIds?.join(' '))],
      ['tags', name(pairsText(cluster.tags))],
      ['security', name(vpc.securityGroupIds?.join(' '))],
      [
        'network',
        [network?.ipFamily, network?.serviceIpv4Cidr, network?.podIpv4Cidr]
          .map(name)
          .join(' ')
          .trim(),
      ],
      ['arn', name(cluster.arn)],
    ],
    look,
    width,
  );
}
