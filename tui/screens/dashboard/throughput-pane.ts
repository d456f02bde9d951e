/** Shows the throughput of all jobs: the last minute, and today's totals. */

import type { Result } from '../../../src/control/messages.ts';
import { isWhollyInSync, standingText } from '../../../src/control/job-standing.ts';
import type { JobStatus } from '../../../src/control/shapes.ts';
import type { Area } from '../../widgets/layout.ts';
import { knownText } from '../../data/last-seen.ts';
import type { Ui } from '../../ui/ui.ts';
import { axisCells, chartHead, chartLines, sparkline } from '../../widgets/charts.ts';
import { bytesText, countText, numberText, rateText } from '../../../src/text/amounts.ts';
import { clockText, dayText, durationText, minuteText } from '../../../src/text/time.ts';
import { pad, widthOf } from '../../text/width.ts';
import type { Look, Tone } from '../../theme/look.ts';

export type Throughput = Result<'throughput'>;

/** The width of `-99.9 MB/s` and of the gap before it. */
const RATE_CELLS = 11;
const SIGN_CELLS = 4;

/** The height of a chart with its heading and two rows. */
const LEAST_CHART = 3;
const SUMS = 3;

/** Returns whether the jobs did nothing in the recorded minute. */
export function isIdle(throughput: Throughput | undefined): boolean {
  return !throughput?.samples.some(({ operationsPerSecond }) => operationsPerSecond > 0);
}

/**
 * Returns lines of at most `columns` cells. The charts have several rows if there is enough space.
 */
export function throughputLines(
  throughput: Throughput | undefined,
  ui: Ui,
  { columns, rows }: Area,
): readonly string[] {
  const { look, status } = ui;
  const samples = throughput?.samples ?? [];
  const series = [
    {
      sign: look.glyphs.up,
      values: samples.map(({ bytesPerSecond }) => bytesPerSecond),
      text: rateText,
    },
    {
      sign: 'ops',
      values: samples.map(({ operationsPerSecond }) => operationsPerSecond),
      text: (rate: number) => `${numberText(Math.round(rate))} /s`,
    },
  ];
  return [
    ...rateLines(series, { columns, rows: rows - SUMS }, look),
    todayLine(throughput, columns, look),
    leftLine(ui, columns),
    provenLine(status.jobs, columns, look),
  ];
}

interface RateSeries {
  readonly sign: string;
  readonly values: readonly number[];
  readonly text: (rate: number) => string;
}

/** Draws a series without any value above zero as one line, which leaves its rows to the other chart. */
function rateLines(all: readonly RateSeries[], { columns, rows }: Area, look: Look): string[] {
  const full = all.filter(({ values }) => values.some((value) => value > 0));
  const each = Math.floor((rows - (all.length - full.length)) / full.length);
  if (each < LEAST_CHART) return all.map((one) => rateLine(one, columns, look));
  const charts = rateCharts(full, { columns, rows: each }, look);
  return all.flatMap((one) => {
    const at = full.indexOf(one);
    return at < 0 ? [rateLine(one, columns, look)] : charts.slice(at * each, (at + 1) * each);
  });
}

function rateLine({ sign, values, text }: RateSeries, columns: number, look: Look): string {
  const cells = Math.max(4, columns - SIGN_CELLS - RATE_CELLS - 2);
  const bars = look.paint('chart', sparkline(values, cells, look));
  const rate = text(meanOf(values.slice(-LATEST)));
  return ` ${pad(sign, SIGN_CELLS)}${bars}${pad(rate, RATE_CELLS, 'right')}`;
}

/** Draws the charts, each with a heading. All charts start in the same column. */
function rateCharts(all: readonly RateSeries[], { columns, rows }: Area, look: Look): string[] {
  const labelCells = Math.max(
    ...all.map(({ values, text }) => axisCells(values, { rows: rows - 1, text })),
  );
  return all.flatMap(({ sign, values, text }) => {
    const options = { width: columns - 2, rows: rows - 1, text, labelCells };
    const rate = `${pad(sign, SIGN_CELLS)}${text(meanOf(values.slice(-LATEST)))}`;
    const head = chartHead([rate], values, options);
    return [head, ...chartLines(values, options, look)].map((line) => ` ${line}`);
  });
}

/** The current rate is an average over this many seconds, as in the daemon. */
const LATEST = 5;

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function todayLine(throughput: Throughput | undefined, width: number, look: Look): string {
  if (!throughput) return '';
  const { since, bytes, readBytes, versions, errors } = throughput.today;
  // The daemon counts from its start, and resets the counters at midnight.
  const isWholeDay = new Date(since).setHours(0, 0, 0, 0) === since;
  const from = isWholeDay ? 'today' : `since ${clockText(since).slice(0, 5)}`;
  const failed = `errors ${numberText(errors)}`;
  return fitted(
    [
      `${from} ${look.glyphs.up} ${bytesText(bytes)}`,
      ...(readBytes > 0 ? [`${look.glyphs.downward} ${bytesText(readBytes)}`] : []),
      `versions +${numberText(versions)}`,
      errors > 0 ? look.paint('bad', failed) : failed,
    ],
    width,
  );
}

/** Returns the remaining work of all jobs, as far as it is known, and the estimated time. */
function leftLine(ui: Ui, width: number): string {
  const { status, transfers, look } = ui;
  const left = status.jobs.flatMap((job) => transfers.progressOf(job) ?? []);
  if (left.length === 0) {
    if (status.jobs.length === 0) return '';
    const [tone, text] = restOf(status.jobs);
    return ` ${look.paint(tone, look.cut(knownText(text, ui), width - 2))}`;
  }
  const files = left.reduce((sum, { remainingFiles }) => sum + remainingFiles, 0);
  const bytes = left.reduce((sum, { remainingBytes }) => sum + remainingBytes, 0);
  const etas = left.flatMap(({ etaMs }) => etaMs ?? []);
  return fitted(
    [
      knownText(`left ${countText(files, 'change')}`, ui),
      bytesText(bytes),
      ...(etas.length === 0 ? [] : [`ETA ${durationText(Math.max(...etas))}`]),
    ],
    width,
  );
}

/** Returns the overall state when no transfer is pending. A job may still not be in sync. */
function restOf(jobs: readonly JobStatus[]): readonly [Tone, string] {
  const inSync = jobs.filter(isWhollyInSync);
  if (inSync.length === jobs.length) return restOfSynced(jobs);
  const [first] = jobs;
  if (jobs.length === 1 && first) return ['attention', standingText(first, countText)];
  return ['attention', `${inSync.length} of ${jobs.length} jobs in sync`];
}

/** Returns the protection state of the least protected job. */
function restOfSynced(jobs: readonly JobStatus[]): readonly [Tone, string] {
  const least = LEAST_FIRST.find((is) => jobs.some(({ protection }) => protection.is === is));
  if (least === 'at risk') return ['bad', 'in sync, and at risk'];
  if (least === 'unknown') return ['attention', 'in sync, protection unknown'];
  return ['good', `all in sync, ${least ?? 'protected'}`];
}

const LEAST_FIRST = ['at risk', 'unknown', 'kept'] as const;

/** Names the jobs without a successful restore test, or returns the time of the oldest one. */
function provenLine(jobs: readonly JobStatus[], width: number, look: Look): string {
  const asked = jobs.filter(({ proof }) => proof?.daysPerPass !== undefined);
  if (asked.length === 0) return '';
  const unproven = asked.filter(({ proof }) => proof?.lastProvenRestorableAt === undefined);
  if (unproven.length > 0) {
    const names = unproven.map(({ name }) => look.name(name)).join(', ');
    const text = `not proven restorable yet: ${names}`;
    return ` ${look.paint('attention', look.cut(text, width - 2))}`;
  }
  const oldest = Math.min(...asked.map(({ proof }) => proof?.lastProvenRestorableAt ?? 0));
  const text = `proven restorable ${minuteText(oldest)}`;
  const short = `proven restorable ${dayText(oldest)}`;
  return ` ${look.cut(widthOf(text) <= width - 2 ? text : short, width - 2)}`;
}

/** Joins as many of the words as fit into the width. */
function fitted(words: readonly string[], width: number): string {
  let line = '';
  for (const word of words) {
    const longer = line === '' ? ` ${word}` : `${line}   ${word}`;
    if (widthOf(longer) > width) break;
    line = longer;
  }
  return line;
}
