/** The columns of the job lists on the first screen and on the jobs screen. */

import type { JobStatus } from '../../../src/control/shapes.ts';
import { LOCAL_TARGET } from '../../../src/control/local-target.ts';
import type { Ui } from '../../ui/ui.ts';
import { bar, paintedBar } from '../../widgets/charts.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { durationText, shortDurationText } from '../../../src/text/time.ts';
import {
  bytesText,
  countText,
  numberText,
  percentOf,
  percentText,
  rateText,
} from '../../../src/text/amounts.ts';
import type { Progress } from '../../data/transfers-store.ts';
import { widthOf } from '../../text/width.ts';
import type { Look } from '../../theme/look.ts';
import { shortPath } from '../../text/home-path.ts';
import { isLocal } from '../../data/place.ts';
import { placeText, routeText, standstillText, stateTone, wasText } from './job-text.ts';

const BAR_CELLS = 10;

type JobColumn = Column<JobStatus>;

export function jobColumns(ui: Ui): readonly JobColumn[] {
  // All jobs in the embedded store show the destination in the same form. If one destination does not fit with the
  // store's name, all omit the name.
  const route = Math.max(
    0,
    ...ui.status.jobs.filter(isLocal).map((job) => widthOf(routeText(job, ui))),
  );
  const progressOf = (job: JobStatus) => ui.transfers.progressOf(job);
  return [
    { title: 'JOB', width: 'fit', cut: 'middle', cell: (job, look) => look.name(job.name) },
    {
      title: `FOLDER ${ui.look.glyphs.arrow} BUCKET`,
      width: 'grow',
      cell: (job, look, cells) => routeCell(job, { ui, look, cells, isShort: cells < route }),
    },
    ...SIZES,
    { title: 'STATE', width: 'fit', cell: (job) => wasText(job.state, ui), tone: stateTone },
    {
      title: 'PROGRESS',
      width: BAR_CELLS,
      cell: (job, look) => progressBar(job, progressOf(job), look),
      tone: stateTone,
      paint: (cell, job, look) => paintedBar(cell, stateTone(job), look),
      rest: (job, look, cells) => {
        const text = standstillText(job, ui.link.isUp, cells) ?? firstScanText(job, ui);
        return text === undefined ? undefined : look.name(text);
      },
    },
    { title: '%', width: 3, align: 'right', cell: (job) => percentCell(job, progressOf(job)) },
    {
      title: 'RATE',
      width: 5,
      align: 'right',
      drop: 4,
      cell: (job, look) => shortRate(progressOf(job)) ?? look.glyphs.none,
    },
    {
      title: 'ETA',
      width: 6,
      align: 'right',
      drop: 3,
      cell: (job, look) => shortEta(progressOf(job)) ?? look.glyphs.none,
    },
  ];
}

/** The folder and the bucket are each truncated in the middle, so that both remain recognisable. */
function routeCell(
  job: JobStatus,
  { ui, look, cells, isShort }: { ui: Ui; look: Look; cells: number; isShort: boolean },
): string {
  const from = look.name(shortPath(job.folder, ui.outside.userHome));
  const arrow = ` ${look.glyphs.arrow} `;
  const room = cells - widthOf(arrow);
  const place = look.name(placeText(job));
  const to = isShort && isLocal(job) ? place.slice(LOCAL_TARGET.length + 1) : place;
  const half = Math.max(Math.ceil(room / 2), room - widthOf(from));
  const end = look.cut(to, half, 'middle');
  return look.cut(from, room - widthOf(end), 'middle') + arrow + end;
}

const SIZES: readonly JobColumn[] = [
  {
    title: 'FILES',
    width: 9,
    align: 'right',
    spare: true,
    cell: ({ counts }) => numberText(counts.files),
  },
  {
    title: 'SIZE',
    tone: 'size',
    width: 8,
    align: 'right',
    spare: true,
    cell: ({ counts }) => bytesText(counts.bytes),
  },
  {
    title: 'LAG',
    width: 6,
    spare: true,
    align: 'right',
    cell: ({ lagMs }, look) => (lagMs === 0 ? look.glyphs.none : shortDurationText(lagMs)),
  },
];

/**
 * Draws the progress of a job. During a scan, the bar has another pattern, because the remaining work may still
 * increase.
 */
export function progressBar(job: JobStatus, progress: Progress | undefined, look: Look): string {
  const share = shareOf(job, progress);
  if (share === undefined) return look.glyphs.none;
  const { busy, full } = look.glyphs;
  return bar(share, BAR_CELLS, look, job.state === 'scanning' ? busy : full);
}

/**
 * Returns the progress in percent, rounded down, so that 100 means complete. Returns an empty string if the progress is
 * unknown.
 */
function percentCell(job: JobStatus, progress: Progress | undefined): string {
  const share = shareOf(job, progress);
  return share === undefined ? '' : String(percentOf(share));
}

/**
 * Returns `1,203 files found, 12 MB/s` until the job's first scan has determined the amount of work. Returns undefined
 * after the first scan.
 */
export function firstScanText(job: JobStatus, { transfers }: Ui): string | undefined {
  const scanned = transfers.firstScanOf(job);
  if (scanned === undefined) return undefined;
  const rate = transfers.progressOf(job)?.bytesPerSecond ?? 0;
  const moving = rate > 0 ? [rateText(rate)] : [];
  return [`${countText(scanned, 'file')} found`, ...moving].join(', ');
}

/** Returns the texts to the right of the progress bar, where known: `62 %`, the rate and the remaining time. */
export function progressWords(job: JobStatus, progress: Progress | undefined): string[] {
  const share = shareOf(job, progress);
  const eta = progress?.etaMs;
  return [
    ...(share === undefined ? [] : [percentText(share)]),
    ...(progress ? [rateText(progress.bytesPerSecond)] : []),
    ...(eta === undefined ? [] : [`ETA ${durationText(eta)}`]),
  ];
}

/**
 * Returns the job's progress from 0 to 1. Without pending work, it is 1, but 0 during the first scan. Returns undefined
 * while the job starts, and for a paused job without pending work.
 */
function shareOf(
  { state, lastRoundAt }: JobStatus,
  progress: Progress | undefined,
): number | undefined {
  if (state === 'starting') return undefined;
  if (progress) return progress.share;
  if (state === 'paused') return undefined;
  return state === 'scanning' && lastRoundAt === undefined ? 0 : 1;
}

/** Returns the transfer rate in bytes per second, such as `31M` or `3.14M`. */
export function shortRate(progress: Progress | undefined): string | undefined {
  if (!progress || progress.bytesPerSecond === 0) return undefined;
  return bytesText(progress.bytesPerSecond).replace(/ (\w?)B$/, '$1');
}

/** Returns the remaining time, such as `14 min` or `4 h`. */
function shortEta(progress: Progress | undefined): string | undefined {
  const ms = progress?.etaMs;
  return ms === undefined ? undefined : shortDurationText(ms);
}
