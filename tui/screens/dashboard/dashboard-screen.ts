/** The first screen: what moves, whether all is well, the jobs, what needs attention, and what happened last. */

import type { JobStatus } from '../../../src/control/shapes.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { framed } from '../../widgets/panes.ts';
import type { Pane } from '../../widgets/panes.ts';
import { ListModel } from '../../widgets/list-model.ts';
import type { Movable } from '../../widgets/list-model.ts';
import { tableLines } from '../../widgets/table.ts';
import type { TableOptions } from '../../widgets/table.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Activity } from '../../data/activity-log.ts';
import { Polling } from '../../data/polling.ts';
import { numberText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { jobColumns } from '../jobs/columns.ts';
import { jobActions } from '../jobs/job-actions.ts';
import { JobScreen } from '../jobs/job-screen.ts';
import { attentionSign } from '../jobs/job-text.ts';
import { jobCopyables, jobList, NOT_KNOWN, noJobsText, takeJobs } from '../jobs/jobs-list.ts';
import { activityColumns, latest } from './activity-rows.ts';
import { heightsOf, widthsOf } from './arrangement.ts';
import type { Widths } from './arrangement.ts';
import { ATTENTION_COLUMNS, attentionRows } from './attention-rows.ts';
import type { AttentionRow } from './attention-rows.ts';
import { HEALTH_LINES, healthLines } from './health-pane.ts';
import { lockLines } from './lock-horizon.ts';
import { MovingList } from './moving-list.ts';
import { throughputLines } from './throughput-pane.ts';
import type { Throughput } from './throughput-pane.ts';

/** The daemon counts by the second; while nothing moves, its sums are enough now and then. */
const MOVING_MS = 1_000;
const QUIET_MS = 5_000;
const ALERTS_MS = 10_000;

const PANES = ['jobs', 'attention', 'activity'] as const;
type PaneName = (typeof PANES)[number];

export class DashboardScreen implements Screen {
  readonly scope = 'dashboard';
  readonly crumbs = ['dashboard'];
  readonly actions: ActionsFor<'dashboard'>;
  readonly #ui: Ui;
  readonly #jobs: ListModel<JobStatus>;
  readonly #attention: ListModel<AttentionRow>;
  readonly #activity: ListModel<Activity>;
  readonly #moving: MovingList;
  readonly #pollings: readonly Polling[];
  #throughput: Throughput | undefined;
  /** Without acknowledged alarms; undefined until all of it was read. */
  #attentionCount: number | undefined;
  #pane: PaneName = 'jobs';
  #stops: (() => void)[] = [];

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#jobs = jobList(ui);
    this.#attention = new ListModel<AttentionRow>({ changes: ui.changes });
    this.#activity = new ListModel<Activity>({ changes: ui.changes });
    this.#moving = new MovingList(ui);
    const current = () => (this.#pane === 'jobs' ? this.#jobs.current : undefined);
    const all = () => (this.#pane === 'jobs' ? this.#jobs.chosen : []);
    this.actions = jobActions(ui, { current, all });
    const { clock, link } = ui;
    const changed = () => ui.changes.soon();
    this.#pollings = [
      new Polling({
        clock,
        link,
        changed,
        everyMs: () => (this.#hasMoved ? MOVING_MS : QUIET_MS),
        read: async (signal) => {
          this.#throughput = await ui.call('throughput', {}, { signal });
        },
      }),
      new Polling({
        clock,
        link,
        changed,
        everyMs: () => ALERTS_MS,
        read: () => ui.alerts.refresh(),
      }),
    ];
  }

  get list(): Movable {
    return { jobs: this.#jobs, attention: this.#attention, activity: this.#activity }[this.#pane];
  }

  show(): void {
    this.hide();
    const { status, alerts, activity, transfers, changes } = this.#ui;
    const stores = [status, alerts, activity, transfers];
    this.#stops = stores.map((store) => store.onChange(() => changes.soon(this.#take)));
    for (const polling of this.#pollings) polling.start();
    this.#take();
  }

  hide(): void {
    for (const stop of this.#stops.splice(0)) stop();
    for (const polling of this.#pollings) polling.stop();
  }

  open(): void {
    const [job, found] = [this.#jobs.current, this.#attention.current];
    if (this.#pane === 'activity') this.#ui.router.choose('activity');
    else if (this.#pane === 'attention') found?.open(this.#ui);
    else if (job) this.#ui.router.open(new JobScreen(this.#ui, job.name));
  }

  nextPane(step: 1 | -1): void {
    const { length } = PANES;
    this.#pane = PANES[(PANES.indexOf(this.#pane) + step + length) % length] ?? 'jobs';
    this.#ui.changes.now();
  }

  copyables(): readonly Copyable[] {
    if (this.#pane === 'jobs') return jobCopyables(this.#jobs.current);
    const text =
      this.#pane === 'attention' ? this.#attention.current?.text : this.#activity.current?.message;
    return text === undefined ? [] : [{ name: 'text', text }];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const isWidest = widthsOf(columns, { top: 0, middle: 1 }).moving > 0;
    const heights = heightsOf(rows, {
      jobs: this.#jobs.rows.count,
      attention: this.#attention.rows.count,
      moving: isWidest ? this.#moving.count : 0,
    });
    const widths = widthsOf(columns, heights);
    const { jobs, middle, bottom } = heights;
    const found = [
      this.#attentionPane(widths.attention, look),
      ...(widths.moving === 0 ? [] : [this.#moving.pane(widths.moving, look)]),
    ];
    const activity = this.#activityPane(widths.activity, look);
    return framed(
      [
        { height: heights.top, panes: this.#topPanes(widths) },
        { height: jobs, panes: [this.#jobsPane(columns, jobs, look)] },
        { height: middle, panes: found },
        { height: bottom, panes: middle > 0 ? [activity] : [...found, activity] },
      ],
      look,
    );
  }

  /** Moving bars are drawn to their end. */
  get #hasMoved(): boolean {
    const { transfers, status } = this.#ui;
    if (transfers.bytesPerSecond(status.jobs) > 0) return true;
    return this.#throughput?.samples.some((sample) => sample.operationsPerSecond > 0) ?? false;
  }

  readonly #take = (): void => {
    takeJobs(this.#jobs, this.#ui);
    const found = attentionRows(this.#ui);
    this.#attentionCount = found?.filter(({ isKnown }) => !isKnown).length;
    if (found) this.#attention.showAll(found, ({ id }) => id);
    const rows = latest(this.#ui.activity.entries);
    const isAtTop = this.#activity.cursor === 0;
    const text = ({ job, action, path = '', message }: Activity) =>
      `${job} ${action} ${path} ${message}`;
    this.#activity.showAll(rows, ({ seq }) => String(seq), text);
    if (isAtTop && this.#activity.cursor !== 0) this.#activity.moveTo(0);
    this.#moving.take();
  };

  #topPanes({ throughput, locks, health, isStacked }: Widths): readonly Pane[] {
    const ui = this.#ui;
    const charts = (area: Area) => throughputLines(this.#throughput, ui, area);
    const locked = { title: 'Locks of jobs', draw: () => lockLines(ui) };
    return [
      { title: 'Throughput 60 s', width: throughput, draw: charts },
      ...(locks === 0 || isStacked ? [] : [{ ...locked, width: locks }]),
      {
        title: 'Health',
        width: health,
        draw: (area) => healthLines(ui, area.columns),
        ...(isStacked ? { lower: { ...locked, after: HEALTH_LINES } } : {}),
      },
    ];
  }

  #jobsPane(width: number, height: number, look: Look): Pane {
    const { count } = this.#jobs.rows;
    const shown = Math.min(count, Math.max(0, height - 2));
    const total = this.#ui.status.jobs.length;
    const title = shown < total ? `Jobs  ${numberText(shown)} of ${numberText(total)}` : 'Jobs';
    const columns = jobColumns(this.#ui);
    const options = { columns, empty: noJobsText(this.#ui), sign: attentionSign };
    return this.#listPane('jobs', this.#jobs, { title, width, ...options }, look);
  }

  #attentionPane(width: number, look: Look): Pane {
    const count = this.#attentionCount;
    const found = {
      title: count ? `Attention  ${numberText(count)}` : 'Attention',
      empty: count === undefined ? NOT_KNOWN : 'nothing needs attention',
      columns: ATTENTION_COLUMNS,
    };
    return this.#listPane('attention', this.#attention, { ...found, ...SMALL, width }, look);
  }

  #activityPane(width: number, look: Look): Pane {
    const recent = {
      title: 'Recent activity',
      empty: this.#ui.activity.entries.length === 0 ? NO_ACTIVITY : '',
      columns: activityColumns(this.#ui.clock.now()),
    };
    return this.#listPane('activity', this.#activity, { ...recent, ...SMALL, width }, look);
  }

  #listPane<Row>(
    name: PaneName,
    list: ListModel<Row>,
    options: Omit<TableOptions<Row>, 'focused' | 'height'> & { readonly title: string },
    look: Look,
  ): Pane {
    const { title, width, ...table } = options;
    const focused = this.#pane === name;
    const draw = (area: Area) =>
      tableLines(list, { ...table, width: area.columns, height: area.rows, focused }, look);
    return { title, width, focused, draw };
  }
}

const NO_ACTIVITY = 'nothing yet';
const SMALL = { titles: false } as const;
