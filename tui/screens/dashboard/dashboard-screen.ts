/**
 * The first screen: whether all folders are protected, problems that need attention, jobs, transfers, and the latest
 * activity.
 */

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
import { knownTitle, lastSeenText } from '../../data/last-seen.ts';
import { Polling } from '../../data/polling.ts';
import { numberText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { jobColumns } from '../jobs/columns.ts';
import { jobActions } from '../jobs/job-actions.ts';
import { JobScreen } from '../jobs/job-screen.ts';
import { attentionSign } from '../jobs/job-text.ts';
import { jobCopyables, jobList, NOT_KNOWN, noJobsText, takeJobs } from '../jobs/jobs-list.ts';
import { askBucket } from '../objects/open-bucket.ts';
import { areEmpty, readCharts, recentLines, SPAN_TEXTS, SPANS } from '../charts/recent-charts.ts';
import type { RecentChart, SpanName } from '../charts/recent-charts.ts';
import { widthOf } from '../../text/width.ts';
import { clamp } from '../../widgets/window.ts';
import { activityColumns, latest } from './activity-rows.ts';
import { heightsOf, type Widths, widthsOf } from './arrangement.ts';
import { attentionHeight, attentionLines } from './attention-pane.ts';
import { attentionRows } from './attention-rows.ts';
import type { AttentionRow } from './attention-rows.ts';
import { HEALTH_LINES, healthLines } from './health-pane.ts';
import { lockLines, lockTitle } from './lock-horizon.ts';
import { MovingList } from './moving-list.ts';
import { isIdle, throughputLines } from './throughput-pane.ts';
import type { Throughput } from './throughput-pane.ts';
import { verdictOf } from './verdict.ts';
import { welcomeLines } from './welcome.ts';

/** The polling interval for the transfer totals while data is transferred. Otherwise, QUIET_MS applies. */
const MOVING_MS = 1_000;
const RECENT_MS = 15_000;
/** The polling interval while idle. The screen then reads only the alerts and draws the uptime in minutes. */
const QUIET_MS = 60_000;
/** How long MOVING_MS applies after an event. The chart shows only complete seconds. */
const MOVED_MS = 2 * MOVING_MS;

const PANES = ['attention', 'jobs', 'activity'] as const;
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
  readonly #totals: Polling;
  readonly #recent: Polling;
  /** The time of the last event about transfers or activity. */
  #movedAt = Number.NEGATIVE_INFINITY;
  #throughput: Throughput | undefined;
  /** The time span of the charts. Undefined for the last 60 seconds. */
  #span: SpanName | undefined;
  #charts: readonly RecentChart[] = [];
  /** The number of attention rows, without acknowledged alarms. Undefined until all rows are loaded. */
  #attentionCount: number | undefined;
  /** The selected pane. Undefined until the user selects a pane or the attention rows are loaded. */
  #chosen: PaneName | undefined;
  #stops: (() => void)[] = [];

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#jobs = jobList(ui);
    this.#attention = new ListModel<AttentionRow>({ changes: ui.changes });
    this.#activity = new ListModel<Activity>({ changes: ui.changes });
    this.#moving = new MovingList(ui);
    const current = () => this.#job;
    const all = () => (this.#pane === 'jobs' ? this.#jobs.chosen : [this.#job ?? []].flat());
    const actions = jobActions(ui, { current, all });
    this.actions = {
      ...actions,
      'job.restore': {
        why: () => (this.#isWelcome ? undefined : actions['job.restore'].why?.()),
        run: (count) => (this.#isWelcome ? askBucket(ui) : actions['job.restore'].run(count)),
      },
      'charts.longer': { why: () => this.#whyNoChart, run: () => this.#changeSpan(1) },
      'charts.shorter': { why: () => this.#whyNoChart, run: () => this.#changeSpan(-1) },
    };
    const { clock, link } = ui;
    const changed = () => ui.changes.soon();
    this.#recent = new Polling({
      clock,
      link,
      changed,
      everyMs: () => RECENT_MS,
      read: async (signal) => {
        const span = this.#span;
        if (span) this.#charts = await readCharts(ui, { span, job: undefined }, signal);
      },
    });
    this.#totals = new Polling({
      clock,
      link,
      changed,
      everyMs: () => (this.#hasMoved ? MOVING_MS : QUIET_MS),
      read: async (signal) => {
        ui.alerts.refreshIfOld();
        this.#throughput = await ui.call('throughput', {}, { signal });
      },
    });
  }

  get list(): Movable | undefined {
    if (this.#isWelcome && this.#pane !== 'attention') return undefined;
    return { jobs: this.#jobs, attention: this.#attention, activity: this.#activity }[this.#pane];
  }

  show(): void {
    this.hide();
    const { status, alerts, activity, transfers, changes } = this.#ui;
    const stores = [status, alerts, activity, transfers];
    this.#stops = [
      ...stores.map((store) => store.onChange(() => changes.soon(this.#take))),
      ...[activity, transfers].map((store) => store.onChange(this.#noteMoved)),
    ];
    this.#totals.start();
    if (this.#span) this.#recent.start();
    this.#take();
  }

  hide(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#totals.stop();
    this.#recent.stop();
  }

  open(): void {
    const [job, found] = [this.#jobs.current, this.#attention.current];
    if (this.#pane === 'activity') this.#ui.router.visit('activity');
    else if (this.#pane === 'attention') found?.open(this.#ui);
    else if (job) this.#ui.router.open(new JobScreen(this.#ui, job.name));
  }

  nextPane(step: 1 | -1): void {
    const { length } = PANES;
    const next = PANES[(PANES.indexOf(this.#pane) + step + length) % length] ?? 'jobs';
    const isEmpty = next === 'attention' && this.#attention.rows.count === 0;
    this.#chosen = isEmpty ? (step > 0 ? 'jobs' : 'activity') : next;
    this.#ui.changes.now();
  }

  copyables(): readonly Copyable[] {
    if (this.#pane === 'jobs') return jobCopyables(this.#jobs.current);
    const text =
      this.#pane === 'attention' ? this.#attention.current?.text : this.#activity.current?.message;
    return text === undefined ? [] : [{ name: 'text', text }];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    if (this.#isWelcome) return this.#welcome(columns, rows, look);
    const verdict = this.#verdictLine(columns, look);
    const heights = heightsOf(rows - verdict.length, {
      jobs: this.#jobs.rows.count,
      attention: attentionHeight(this.#attention, columns - FRAME, look),
      isIdle: this.#span ? areEmpty(this.#charts) : isIdle(this.#throughput),
    });
    const widths = widthsOf(columns, heights);
    const { attention, jobs, charts, activity } = heights;
    const last = [
      this.#activityPane(widths.activity, look),
      ...(widths.moving === 0 ? [] : [this.#moving.pane(widths.moving, look)]),
    ];
    const panes = framed(
      [
        { height: attention, panes: [this.#attentionPane(columns, look)] },
        { height: jobs, panes: [this.#jobsPane(columns, jobs, look)] },
        { height: charts, panes: this.#chartPanes(widths) },
        { height: activity, panes: last },
      ],
      look,
    );
    return [...verdict, ...panes];
  }

  /** The pane with the keyboard focus. At first, this is the attention pane, unless it is empty. */
  get #pane(): PaneName {
    const hasRows = this.#attention.rows.count > 0;
    if (this.#chosen === 'attention' && !hasRows) return 'jobs';
    return this.#chosen ?? (hasRows ? 'attention' : 'jobs');
  }

  /** The selected job, or the job that the selected attention row names. */
  get #job(): JobStatus | undefined {
    if (this.#pane === 'jobs') return this.#jobs.current;
    const name = this.#pane === 'attention' ? this.#attention.current?.job : undefined;
    return name === undefined ? undefined : this.#ui.status.job(name);
  }

  get #whyNoChart(): string | undefined {
    return this.#isWelcome ? 'charts need a job: press n to create one' : undefined;
  }

  get #isWelcome(): boolean {
    const { current } = this.#ui.status;
    return current?.jobs.length === 0 && current.storeOnly !== true;
  }

  #welcome(columns: number, rows: number, look: Look): readonly string[] {
    const draw = (area: Area) => welcomeLines(area, look);
    const found = attentionHeight(this.#attention, columns - FRAME, look);
    const attention = found === 0 ? 0 : Math.min(found, Math.floor(rows / 4)) + 1;
    const title = 'Welcome to Holdfast';
    return framed(
      [
        { height: attention, panes: [this.#attentionPane(columns, look)] },
        { height: rows - attention, panes: [{ title, width: columns, draw }] },
      ],
      look,
    );
  }

  #verdictLine(columns: number, look: Look): string[] {
    const ui = this.#ui;
    const verdict = verdictOf(ui.status.jobs, ui.clock.now(), lastSeenText(ui));
    if (!verdict) return [];
    const { tone, text, short = text } = verdict;
    const line = (words: string) => `${look.glyphs.dot} ${look.name(words)}`;
    const fitting = widthOf(line(text)) <= columns - 2 ? text : short;
    return [` ${look.paint(tone, look.cut(line(fitting), columns - 2))}`];
  }

  #changeSpan(step: 1 | -1): void {
    const all = [undefined, ...SPANS];
    this.#span = all[clamp(all.indexOf(this.#span) + step, 0, all.length - 1)];
    this.#charts = [];
    if (this.#span) this.#recent.start();
    else this.#recent.stop();
  }

  /**
   * Whether the recorded minute contains transfers, or may contain them after an event. If so, the bars are redrawn
   * until the transfers have left the chart.
   */
  get #hasMoved(): boolean {
    const { clock, transfers, status } = this.#ui;
    if (clock.monotonic() - this.#movedAt < MOVED_MS) return true;
    if (transfers.bytesPerSecond(status.jobs) > 0) return true;
    return !isIdle(this.#throughput);
  }

  readonly #noteMoved = (): void => {
    this.#movedAt = this.#ui.clock.monotonic();
  };

  readonly #take = (): void => {
    this.#totals.hasten();
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

  #chartPanes({ throughput, locks, health, isStacked }: Widths): readonly Pane[] {
    const [ui, span] = [this.#ui, this.#span];
    const draw = (area: Area) =>
      span ? this.#recentLines(area, ui.look) : throughputLines(this.#throughput, ui, area);
    const locked = { title: lockTitle(ui), draw: () => lockLines(ui) };
    const last = span && `Last ${SPAN_TEXTS[span].replace(/^1 /, '')}`;
    const title = knownTitle(last ?? 'Throughput 60 s', ui);
    return [
      { title, width: throughput, draw },
      ...(locks === 0 || isStacked ? [] : [{ ...locked, width: locks }]),
      {
        title: knownTitle('Health', ui),
        width: health,
        draw: (area) => healthLines(ui, area.columns),
        ...(isStacked ? { lower: { ...locked, after: HEALTH_LINES } } : {}),
      },
    ];
  }

  #recentLines({ columns, rows }: Area, look: Look): readonly string[] {
    const { problem } = this.#recent;
    if (problem !== undefined) return [` ${look.name(problem)}`];
    if (this.#charts.length === 0) return [' loading'];
    const inner = { columns: columns - 2, rows };
    return recentLines(this.#charts, inner, look).map((line) => ` ${line}`);
  }

  #jobsPane(width: number, height: number, look: Look): Pane {
    const shown = Math.min(this.#jobs.rows.count, Math.max(0, height - 2));
    const total = this.#ui.status.jobs.length;
    const part = shown < total ? `  ${numberText(shown)} of ${numberText(total)}` : '';
    const title = knownTitle(`Jobs${part}`, this.#ui);
    const columns = jobColumns(this.#ui);
    const options = { columns, empty: noJobsText(this.#ui), sign: attentionSign };
    return this.#listPane('jobs', this.#jobs, { title, width, ...options }, look);
  }

  #attentionPane(width: number, look: Look): Pane {
    const count = this.#attentionCount;
    const title = knownTitle(count ? `Attention  ${numberText(count)}` : 'Attention', this.#ui);
    const empty = count === undefined ? NOT_KNOWN : 'nothing needs attention';
    const focused = this.#pane === 'attention';
    const found = { list: this.#attention, focused, empty };
    return { title, width, focused, draw: (area) => attentionLines(found, area, look) };
  }

  #activityPane(width: number, look: Look): Pane {
    const recent = {
      title: 'Recent activity',
      titles: false,
      empty: this.#ui.activity.entries.length === 0 ? 'no activity yet' : '',
      columns: activityColumns(this.#ui.clock.now()),
    };
    return this.#listPane('activity', this.#activity, { ...recent, width }, look);
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

/** The width of a pane's left and right border. */
const FRAME = 2;
