/** Shows the current and past sizes of the buckets, and the alarms on their metrics. */

import type { AlarmShape, BucketMetricsShape } from '../../../src/control/methods/monitoring.ts';
import { STATISTICS } from '../../../src/control/methods/monitoring.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { framed } from '../../widgets/panes.ts';
import type { Pane } from '../../widgets/panes.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { listFoot, tableLines } from '../../widgets/table.ts';
import { clamp } from '../../widgets/window.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { Polling } from '../../data/polling.ts';
import { LOCAL_TARGET } from '../../../src/control/local-target.ts';
import { openBucket } from '../objects/open-bucket.ts';
import { numberText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { alarmActions } from './alarm-actions.ts';
import { openAlarmForm } from './alarm-form.ts';
import { heightsOf } from './heights.ts';
import { AlarmScreen } from './alarm-screen.ts';
import { ALARM_COLUMNS, alarmTone, BUCKET_COLUMNS } from './columns.ts';
import { chartsOf, readRecentSize, SPANS } from './series.ts';
import type { Series } from './series.ts';

const EVERY_MS = 1_000;
const METRICS_SHOWN = ['BucketSizeBytes', 'NumberOfObjects'] as const;

type Statistic = (typeof STATISTICS)[number];

const NOT_MONITORED =
  'no size was recorded in that time; press M to record the number of objects, too';

export class MetricsScreen implements Screen {
  readonly scope = 'metrics';
  readonly crumbs = ['metrics'];
  readonly actions: ActionsFor<'metrics'>;
  readonly #ui: Ui;
  readonly #buckets: ListModel<BucketMetricsShape>;
  readonly #alarms: ListModel<AlarmShape>;
  readonly #polling: Polling;
  #pane: 'buckets' | 'alarms' = 'buckets';
  #span = 2;
  #statistic: Statistic = 'Average';
  #series: readonly Series[] = [];
  /** Identifies the loaded series by bucket, time span and statistic. */
  #seriesOf = '';
  #seriesBucket = '';
  /** The number of current objects in the bucket. The daemon does not record a series of this number. */
  #heads: Result<'metrics.get'>['heads'] | undefined;

  constructor(ui: Ui) {
    this.#ui = ui;
    const changes = ui.changes;
    this.#buckets = new ListModel<BucketMetricsShape>({
      changes,
      orders: [
        { name: 'name', compare: (a, b) => (a.bucket < b.bucket ? -1 : 1) },
        { name: 'size', compare: (a, b) => b.sizeBytes - a.sizeBytes },
        { name: 'total', compare: (a, b) => b.objects - a.objects },
      ],
    });
    this.#alarms = new ListModel<AlarmShape>({ changes });
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () => EVERY_MS,
      read: (signal) => this.#read(signal),
      changed: () => changes.soon(),
    });
    const changed = () => this.show();
    this.actions = {
      'metrics.longer': { run: () => this.#changeSpan(1) },
      'metrics.shorter': { run: () => this.#changeSpan(-1) },
      'metrics.statistic': { run: () => this.#nextStatistic() },
      'metrics.monitor': { why: () => this.#whyNoBucket, run: () => this.#monitor() },
      'alarms.new': {
        why: () => this.#whyNoBucket,
        run: () => openAlarmForm(ui, { bucket: this.#buckets.current?.bucket ?? '' }, changed),
      },
      ...alarmActions(ui, { current: () => this.#alarms.current, changed, gone: changed }),
    };
  }

  get list(): ListModel<BucketMetricsShape> | ListModel<AlarmShape> {
    return this.#pane === 'buckets' ? this.#buckets : this.#alarms;
  }

  get note(): string {
    return `${SPANS[this.#span]?.name ?? ''}  ${this.#statistic}`;
  }

  get #whyNoBucket(): string | undefined {
    return this.#buckets.current ? undefined : 'no bucket is selected';
  }

  show(): void {
    this.#polling.start();
  }

  hide(): void {
    this.#polling.stop();
  }

  nextPane(): void {
    this.#pane = this.#pane === 'buckets' ? 'alarms' : 'buckets';
  }

  open(): void {
    const [bucket, alarm] = [this.#buckets.current?.bucket, this.#alarms.current];
    if (this.#pane === 'buckets' && bucket !== undefined)
      openBucket(this.#ui, { target: LOCAL_TARGET, bucket });
    else if (this.#pane === 'alarms' && alarm)
      this.#ui.router.open(new AlarmScreen(this.#ui, alarm));
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    return current ? [{ name: 'JSON', text: JSON.stringify(current, undefined, 2) }] : [];
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { buckets } = await this.#ui.call('metrics.list', {}, { signal });
    this.#buckets.showAll(buckets, ({ bucket }) => bucket);
    const { alarms } = await this.#ui.call('alarms.list', {}, { signal });
    this.#alarms.showAll(
      raisedFirst(alarms),
      ({ name }) => name,
      (alarm) => `${alarm.name} ${alarm.bucket} ${alarm.state}`,
    );
    await this.#readSeries(signal);
  }

  /**
   * Loads the series every minute, when the daemon has recorded a new value, and after the user has selected another
   * bucket, time span or statistic.
   */
  async #readSeries(signal: AbortSignal): Promise<void> {
    const bucket = this.#buckets.current?.bucket;
    const span = SPANS[this.#span] ?? SPANS[0];
    const statistic = this.#statistic;
    const minute = Math.floor(this.#ui.clock.now() / 60_000);
    const of = `${bucket} ${span.name} ${statistic} ${minute}`;
    if (bucket === undefined || of === this.#seriesOf) return;
    const now = this.#ui.clock.now();
    const to = Math.ceil(now / span.periodMs) * span.periodMs;
    const from = to - span.ms;
    const ask = async (metric: (typeof METRICS_SHOWN)[number]): Promise<Series> => {
      const question = { bucket, metric, statistic, periodMs: span.periodMs, from, to };
      const { points } = await this.#ui.call('metrics.series', question, { signal });
      return { metric, span, from, to: now, periodMs: span.periodMs, points };
    };
    const monitored = await Promise.all(METRICS_SHOWN.map(ask));
    const hasPoints = monitored.some(({ points }) => points.length > 0);
    this.#series = hasPoints ? monitored : [await readRecentSize(this.#ui, bucket, span, signal)];
    this.#heads = (await this.#ui.call('metrics.get', { bucket }, { signal })).heads;
    this.#seriesOf = of;
    this.#seriesBucket = bucket;
  }

  #changeSpan(step: 1 | -1): void {
    this.#span = clamp(this.#span + step, 0, SPANS.length - 1);
    this.show();
  }

  #nextStatistic(): void {
    const next = (STATISTICS.indexOf(this.#statistic) + 1) % STATISTICS.length;
    this.#statistic = STATISTICS[next] ?? 'Average';
    this.show();
  }

  async #monitor(): Promise<void> {
    const row = this.#buckets.current;
    if (!row) return;
    const { bucket, monitored } = row;
    const set = async (on: boolean) => {
      await this.#ui.call('metrics.monitor', { bucket, on });
      this.show();
    };
    await set(!monitored);
    const text = monitored
      ? `${bucket} is no longer monitored; its alarms are inactive`
      : `${bucket} is monitored`;
    this.#ui.notifyUndoable(text, () => set(monitored));
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const heights = heightsOf(rows - 1, {
      buckets: this.#buckets.rows.count,
      alarms: this.#alarms.rows.count,
      focused: this.#pane,
      hasCharts: this.#hasCharts,
    });
    const title = `${look.name(this.#buckets.current?.bucket ?? '')}${this.#headsText()}`;
    const charts = {
      title,
      width: columns,
      draw: (area: Area) => {
        const inner = { ...area, columns: area.columns - 2 };
        return this.#chartLines(inner, look).map((line) => ` ${line}`);
      },
    };
    const { problem } = this.#polling;
    const said = problem === undefined ? '' : look.paint('bad', look.name(problem));
    const names = ['buckets', 'charts', 'alarms'] as const;
    const last = names.findLast((name) => heights[name] > 0);
    // The last pane also includes the lower border.
    const heightOf = (name: (typeof names)[number]) => heights[name] + (name === last ? 1 : 0);
    return framed(
      [
        { height: heightOf('buckets'), panes: [this.#bucketsPane(columns, look)] },
        { height: heightOf('charts'), panes: [charts] },
        { height: heightOf('alarms'), panes: [this.#alarmsPane(columns, said, look)] },
      ],
      look,
    );
  }

  #bucketsPane(width: number, look: Look): Pane {
    const focused = this.#pane === 'buckets';
    const empty = this.#polling.isFirst ? this.#ui.link.unreadText : 'no bucket';
    const table = { columns: BUCKET_COLUMNS, empty, focused };
    const draw = (area: Area) => tableLines(this.#buckets, { ...table, ...sizeOf(area) }, look);
    return { title: 'Buckets', width, focused, foot: listFoot(this.#buckets, look), draw };
  }

  #alarmsPane(width: number, legend: string, look: Look): Pane {
    const focused = this.#pane === 'alarms';
    const bucket = this.#buckets.current?.bucket;
    const offer = bucket === undefined ? '' : `; press n to create one for ${look.name(bucket)}`;
    const empty = this.#polling.isFirst ? this.#ui.link.unreadText : `no alarms${offer}`;
    const table = { columns: ALARM_COLUMNS, empty, focused, tone: alarmTone };
    const draw = (area: Area) => tableLines(this.#alarms, { ...table, ...sizeOf(area) }, look);
    return { title: 'Alarms', width, focused, foot: listFoot(this.#alarms, look, legend), draw };
  }

  #headsText(): string {
    if (!this.#heads || this.#seriesBucket !== this.#buckets.current?.bucket) return '';
    const { count, isAll } = this.#heads;
    const most = isAll ? '' : '+';
    return `  ${numberText(count)}${most} current ${count === 1 ? 'object' : 'objects'}`;
  }

  /** Whether charts are shown. They keep their height while the series of another bucket are loading. */
  get #hasCharts(): boolean {
    const { current } = this.#buckets;
    const isRead = current && this.#seriesBucket === current.bucket;
    return !isRead || this.#hasPoints;
  }

  get #hasPoints(): boolean {
    return this.#series.some(({ points }) => points.length > 0);
  }

  #chartLines(inner: Area, look: Look): readonly string[] {
    const { current } = this.#buckets;
    if (!current && !this.#polling.isFirst) return [this.#whyNoBucket ?? ''];
    if (!current || this.#seriesBucket !== current.bucket) return [this.#ui.link.unreadText];
    if (this.#hasPoints) return chartsOf(this.#series, inner, look);
    return [current.monitored ? 'no sample in that time: press + for a longer one' : NOT_MONITORED];
  }
}

const sizeOf = ({ columns, rows }: Area) => ({ width: columns, height: rows });

function raisedFirst(alarms: readonly AlarmShape[]): AlarmShape[] {
  const rank = ({ state, acknowledgedAt }: AlarmShape) =>
    state === 'ALARM' ? (acknowledgedAt === undefined ? 0 : 1) : 2;
  return alarms.toSorted((a, b) => rank(a) - rank(b));
}
