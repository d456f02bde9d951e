/**
 * Shows what the jobs keep locked, when these locks expire, the retained versions, and the buckets that may contain
 * other locks.
 */

import type { JobStatus } from '../../../src/control/shapes.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { framed } from '../../widgets/panes.ts';
import type { Pane } from '../../widgets/panes.ts';
import { ListModel } from '../../widgets/list-model.ts';
import type { Movable } from '../../widgets/list-model.ts';
import { listFoot, tableLines } from '../../widgets/table.ts';
import type { TableOptions } from '../../widgets/table.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { LOCAL_TARGET } from '../../../src/control/local-target.ts';
import { Lookups } from '../../data/lookups.ts';
import { outcomeOf } from '../../data/outcome.ts';
import type { Outcome } from '../../data/outcome.ts';
import type { BucketPlace } from '../../data/place.ts';
import { Polling } from '../../data/polling.ts';
import { numberText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { openBucket } from '../objects/open-bucket.ts';
import { JobScreen } from '../jobs/job-screen.ts';
import { askWhyPath } from '../jobs/why.ts';
import { openRestore } from '../restore/open-restore.ts';
import { readDefault } from './bucket-default.ts';
import { bucketColumns, dayColumns, jobColumns, RETAINED_COLUMNS } from './lock-lists.ts';
import type { EndDay, LockBucket, LockedJob, Retained, Summary } from './lock-lists.ts';
import { isWhole, staleSince, sumLines } from './lock-sums.ts';
import { expiringBytes, HORIZONS, timelineLines } from './lock-timeline.ts';
import type { Horizon } from './lock-timeline.ts';
import { wrap } from '../../text/width.ts';
import { clamp } from '../../widgets/window.ts';
import { releaseAction } from './release.ts';

/** The reload interval. Locks change at most hourly, but the effect of a release should be visible soon. */
const AGAIN_MS = 5_000;

const LEAST_PANE = 4;
/** The height of three panes with two rows each. */
const ROOM_FOR_BOTH = 15;
/** The height of the chart and the lists below it, with at least three lines each. */
const ROOM_FOR_CHART = 12;
const MOST_CHART = 14;
/** The height of a chart without values: the upper border and a line. */
const EMPTY_CHART = 2;
/** From this width, a pane shows its full title. */
const WIDE_PANE = 34;

const PANES = ['jobs', 'buckets', 'ends', 'waiting'] as const;
type PaneName = (typeof PANES)[number];

export class LocksScreen implements Screen {
  readonly scope = 'locks';
  readonly crumbs = ['locks'];
  readonly #ui: Ui;
  readonly #jobs: ListModel<LockedJob>;
  readonly #buckets: ListModel<LockBucket>;
  readonly #days: ListModel<EndDay>;
  readonly #retained: ListModel<Retained>;
  readonly #polling: Polling;
  readonly #defaults: Lookups<LockedJob, Outcome<string>>;
  #focus: PaneName = 'jobs';
  #horizon: Horizon = HORIZONS[0];
  #summary: Summary | undefined;
  /** Whether the terminal had space for the chart of lock end dates at the last draw. */
  #hasChart = false;
  #stop: (() => void) | undefined;

  constructor(ui: Ui) {
    this.#ui = ui;
    const { changes } = ui;
    const canMark = () => false;
    this.#jobs = new ListModel<LockedJob>({ changes, canMark });
    this.#buckets = new ListModel<LockBucket>({ changes, canMark });
    this.#days = new ListModel<EndDay>({ changes, canMark });
    this.#retained = new ListModel<Retained>({ changes, canMark });
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () => AGAIN_MS,
      read: async (signal) => this.#take(await ui.call('locks.summary', {}, { signal })),
      changed: () => changes.soon(),
    });
    this.#defaults = new Lookups<LockedJob, Outcome<string>>({
      clock: ui.clock,
      id: ({ name }) => name,
      ask: (job, signal) => outcomeOf(readDefault(ui, job.name, signal)),
      changed: () => changes.soon(),
    });
    const release = releaseAction(
      ui,
      () => this.#job,
      () => this.#path,
    );
    const whyNoChart = () => (this.#hasChart ? undefined : 'the chart needs a higher terminal');
    this.actions = {
      'charts.longer': { why: whyNoChart, run: () => this.#changeHorizon(1) },
      'charts.shorter': { why: whyNoChart, run: () => this.#changeHorizon(-1) },
      'locks.release': {
        ...release,
        run: async (count) => {
          await release.run(count);
          this.#polling.start();
        },
      },
      'locks.why': {
        why: () => this.#whyNoJob,
        run: () => {
          if (this.#job) askWhyPath(ui, this.#job, this.#path);
        },
      },
      'locks.restore': {
        why: () => this.#whyNoJob,
        run: () => {
          if (this.#job) openRestore(ui, this.#job.name);
        },
      },
    };
  }

  readonly actions: ActionsFor<'locks'>;

  get list(): Movable {
    return this.#focused;
  }

  get #focused():
    | ListModel<LockedJob>
    | ListModel<LockBucket>
    | ListModel<EndDay>
    | ListModel<Retained> {
    return {
      jobs: this.#jobs,
      buckets: this.#buckets,
      ends: this.#days,
      waiting: this.#retained,
    }[this.#focus];
  }

  /** The job under the cursor, or the job that owns the retained version under the cursor. Undefined for a bucket. */
  get #job(): JobStatus | undefined {
    if (this.#focus === 'buckets') return undefined;
    const name = this.#focus === 'waiting' ? this.#retained.current?.job : this.#jobs.current?.name;
    return name === undefined ? undefined : this.#ui.status.job(name);
  }

  get #path(): string {
    return (this.#focus === 'waiting' && this.#retained.current?.key) || '';
  }

  get #whyNoJob(): string | undefined {
    return this.#job ? undefined : 'no job is chosen';
  }

  show(): void {
    this.hide();
    this.#polling.start();
    this.#defaults.expire();
    this.#stop = this.#ui.changes.subscribe(() => this.#defaults.want(this.#summary?.jobs ?? []));
  }

  hide(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#polling.stop();
    this.#defaults.stop();
  }

  nextPane(step: 1 | -1): void {
    const at = PANES.indexOf(this.#focus) + step + PANES.length;
    this.#focus = PANES[at % PANES.length] ?? 'jobs';
  }

  open(): void {
    const [job, retained] = [this.#job, this.#retained.current];
    if (this.#focus === 'waiting' && job && retained) {
      const { target, bucket, prefix } = job;
      const place = { target, bucket, key: prefix + retained.key };
      this.#ui.openVersions(place);
    } else if (this.#focus === 'jobs' && job) {
      this.#ui.router.open(new JobScreen(this.#ui, job.name));
    } else if (this.#focus === 'buckets' && this.#buckets.current) {
      openBucket(this.#ui, placeOf(this.#buckets.current));
    }
  }

  copyables(): readonly Copyable[] {
    const { current } = this.#focused;
    const key = this.#path;
    return [
      ...(key === '' ? [] : [{ name: 'key', text: key }]),
      ...(current ? [{ name: 'JSON', text: JSON.stringify(current) }] : []),
    ];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const head = this.#summary
      ? sumLines(this.#summary, columns - 1, look)
      : wrap(look.name(this.#polling.problem ?? this.#ui.link.unreadText), columns - 1);
    const room = rows - head.length;
    const upper = this.#upper(room);
    const width = Math.floor(columns / 2);
    const spare = room - upper.reduce((sum, each) => sum + each.height, 0);
    const chart =
      spare < ROOM_FOR_CHART
        ? 0
        : this.#isTimelineEmpty
          ? EMPTY_CHART
          : Math.min(MOST_CHART, Math.floor(spare / 2));
    this.#hasChart = chart > 0;
    const height = spare - chart;
    const legend = this.#defaultText(look);
    const lower = [
      this.#pane('ends', look, { width, legend }),
      this.#pane('waiting', look, { width: columns - width }),
    ];
    const rowsOfPanes = upper.map((each) => {
      return { height: each.height, panes: [this.#pane(each.name, look, { width: columns })] };
    });
    const timeline = { height: chart, panes: [this.#timeline(columns, look)] };
    return [
      ...head.map((line) => ` ${line}`),
      ...framed([...rowsOfPanes, timeline, { height, panes: lower }], look),
    ];
  }

  get #isTimelineEmpty(): boolean {
    const days = this.#summary?.days ?? [];
    return expiringBytes(days, this.#horizon, this.#ui.clock.now()).every((bytes) => bytes === 0);
  }

  #timeline(width: number, look: Look): Pane {
    const days = this.#summary?.days;
    const now = this.#ui.clock.now();
    const draw = ({ columns, rows }: Area) => {
      if (!days) return [];
      const area = { columns: columns - 2, rows };
      return timelineLines(days, this.#horizon, { area, now }, look).map((line) => ` ${line}`);
    };
    return { title: `Ends of locks, next ${this.#horizon.name}`, width, draw };
  }

  #changeHorizon(step: 1 | -1): void {
    const index = clamp(HORIZONS.indexOf(this.#horizon) + step, 0, HORIZONS.length - 1);
    this.#horizon = HORIZONS[index] ?? HORIZONS[0];
  }

  /**
   * Returns the panes for jobs and buckets, with their heights. A small terminal shows only the list that the user
   * selected last.
   */
  #upper(room: number): readonly { readonly name: 'jobs' | 'buckets'; readonly height: number }[] {
    const names = room < ROOM_FOR_BOTH ? [this.#chosenUpper] : (['jobs', 'buckets'] as const);
    const most = Math.max(LEAST_PANE, Math.floor(room / (names.length + 1)));
    return names.map((name) => {
      const { count } = (name === 'jobs' ? this.#jobs : this.#buckets).rows;
      return { name, height: Math.min(Math.max(1, count) + 2, most) };
    });
  }

  get #chosenUpper(): 'jobs' | 'buckets' {
    return this.#focus === 'buckets' ? 'buckets' : 'jobs';
  }

  #pane(
    name: PaneName,
    look: Look,
    { width, legend }: { readonly width: number; readonly legend?: string },
  ): Pane {
    const focused = this.#focus === name;
    const lines = <Row>(
      list: ListModel<Row>,
      table: Pick<TableOptions<Row>, 'columns' | 'empty'>,
    ) => ({
      width,
      focused,
      foot: listFoot(list, look, legend),
      draw: ({ columns, rows }: Area) =>
        tableLines(list, { ...table, width: columns, height: rows, focused }, look),
    });
    if (name === 'jobs') {
      const empty =
        this.#polling.problem ??
        (this.#polling.isFirst
          ? this.#ui.link.unreadText
          : 'no job locks its versions; press e on a job to set it');
      const columns = jobColumns((job) => this.#default(job));
      return { title: 'Locks of jobs', ...lines(this.#jobs, { columns, empty: look.name(empty) }) };
    }
    if (name === 'buckets') {
      const columns = bucketColumns((bucket) => this.#ui.status.jobsOf(placeOf(bucket)));
      const empty = this.#ifRead('no bucket has object lock');
      return { title: 'Buckets with object lock', ...lines(this.#buckets, { columns, empty }) };
    }
    if (name === 'ends') {
      const most = Math.max(0, ...(this.#summary?.days ?? []).map(({ bytes }) => bytes));
      const columns = dayColumns(most, this.#ui.clock.now());
      const isAll = this.#summary && isWhole(this.#summary);
      const isStale = this.#summary && staleSince(this.#summary) !== undefined;
      const none = isAll ? 'no lock ends' : 'no lock of a job ends';
      const empty = this.#ifRead(isStale ? 'changed buckets are not counted yet' : none);
      const title = width < WIDE_PANE ? 'Ends by day (UTC)' : 'Ends of locks by day (UTC)';
      return { title, ...lines(this.#days, { columns, empty }) };
    }
    const [shown, all] = [this.#retained.rows.count, this.#summary?.retainedCount ?? 0];
    const part = shown < all ? `  ${numberText(shown)} of ${numberText(all)}` : '';
    const title = `Retained queue${part}`;
    const empty = this.#ifRead('no delete waits for a lock');
    return { title, ...lines(this.#retained, { columns: RETAINED_COLUMNS, empty }) };
  }

  /** Returns the text of an empty list, or an empty text until the list is loaded. */
  #ifRead(empty: string): string {
    return this.#summary ? empty : '';
  }

  #defaultText(look: Look): string {
    const { current } = this.#jobs;
    const text = this.#focus === 'jobs' && current ? this.#default(current) : '';
    return text === '' ? '' : look.paint('dim', `bucket default: ${look.name(text)}`);
  }

  #take(summary: Summary): void {
    this.#summary = summary;
    this.#jobs.showAll(summary.jobs, ({ name }) => name);
    this.#buckets.showAll(summary.buckets, ({ bucket }) => bucket);
    this.#days.showAll(summary.days, ({ day }) => String(day));
    this.#retained.showAll(
      summary.retained,
      ({ job, key, versionId = '' }) => `${job}\0${key}\0${versionId}`,
      ({ job, key, what }) => `${job} ${key} ${what}`,
    );
    this.#defaults.want(summary.jobs);
  }

  #default(job: LockedJob): string {
    const known = this.#defaults.of(job);
    if (!known) return '';
    return known.value ?? 'unknown';
  }
}

function placeOf({ bucket }: LockBucket): BucketPlace {
  return { target: LOCAL_TARGET, bucket };
}
