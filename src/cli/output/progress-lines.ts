/** Formats the progress of an operation: as two lines for a terminal, or as one line of plain text. */

import { barParts } from '../../text/sparkline.ts';
import { bytesText, countText, numberText, percentText, rateText } from '../../text/amounts.ts';
import { durationText } from '../../text/time.ts';
import type { Paint } from './output.ts';
import { visible } from './text.ts';

/** A file that is being transferred or read. */
export interface FileInFlight {
  readonly path: string;
  readonly bytes: number;
  /** The size of the file in bytes. Absent if unknown. */
  readonly sizeBytes?: number;
  /** Whether the file is being read before its transfer starts. */
  readonly isRead?: true;
}

/** The completed and total amounts of work. A property is absent if it is unknown or does not apply. */
export interface Amounts {
  readonly files?: number;
  /** The number of bytes done, including the bytes of files in progress. */
  readonly bytes?: number;
  readonly totalFiles?: number;
  readonly totalBytes?: number;
  /** The number of files that a scan or a listing has found. Present until the totals are known. */
  readonly scanned?: number;
  /** What the scan is expected to find. Absent if nothing is known. */
  readonly scan?: Scan;
  /** What `files` and `scanned` count, in the singular. Default: `file`. */
  readonly noun?: string;
  /** The largest file in progress. */
  readonly current?: FileInFlight;
}

export interface Scan {
  /** The approximate number of files that the scan will find. */
  readonly files: number;
  /** The number of files to transfer that the scan has found so far, including those that are done. */
  readonly foundFiles: number;
  readonly foundBytes: number;
}

export interface Rates {
  readonly filesPerSecond: number;
  readonly bytesPerSecond: number;
}

/** The progress of an operation at a given moment. */
export interface ProgressView {
  /** What the operation does, such as `mirroring photos`. */
  readonly title: string;
  readonly amounts: Amounts;
  /** The largest fraction shown so far. The total may grow, but a shown fraction never decreases. */
  readonly leastDone?: number;
  /** The current rates. Absent at the start, because an early rate is inaccurate. */
  readonly rates?: Rates;
  readonly remainingMs?: number;
}

/** The overhead per file in bytes. Without it, the bar would hardly move while small files are transferred. */
export const FILE_COST_BYTES = 64 * 1024;
const WIDE_COLUMNS = 100;
const WIDE_BAR_CELLS = 24;
const BAR_CELLS = 10;
const NARROW_COLUMNS = 70;
const NARROW_BAR_CELLS = 6;
/** The width of ` 100 %` and the space after it. */
const PERCENT_CELLS = 6;
const GAP = '  ';

/** Returns the completed amount of work in bytes, including the overhead of the files. */
export function costOf({ files = 0, bytes = 0 }: Pick<Amounts, 'files' | 'bytes'>): number {
  return bytes + files * FILE_COST_BYTES;
}

/** Returns the total amount of work in the same unit as `costOf`. Returns undefined while it is unknown. */
export function totalCostOf({ totalFiles, totalBytes, scanned }: Amounts): number | undefined {
  if (scanned !== undefined || (totalBytes ?? totalFiles) === undefined) return undefined;
  return costOf({ files: totalFiles ?? 0, bytes: totalBytes ?? 0 });
}

/** Returns the completed fraction, from 0 to 1. Returns undefined while the total is unknown. */
export function fraction(amounts: Amounts): number | undefined {
  const total = totalCostOf(amounts);
  if (total === undefined) return undefined;
  return total === 0 ? 1 : Math.min(1, costOf(amounts) / total);
}

/** Returns the fraction to show. Returns undefined while the total is unknown. */
export function shownFraction({ amounts, leastDone = 0 }: ProgressView): number | undefined {
  const done = fraction(amounts);
  return done === undefined ? undefined : Math.max(done, leastDone);
}

/** Returns the two lines for a terminal. Each is shorter than the terminal is wide. */
export function progressLines(view: ProgressView, columns: number, paint: Paint): string[] {
  const cells = Math.max(1, columns - 1);
  return [firstLine(view, cells, paint), secondLine(view, cells)];
}

/** Returns the progress as a single line of plain text. */
export function plainLine(view: ProgressView): string {
  const { title, amounts } = view;
  const done = shownFraction(view);
  const { files, bytes, speed, left } = partsOf(view);
  const percent = done === undefined ? '' : percentText(done);
  const parts = [percent, files, bytes, speed, left].filter((part) => part !== '');
  const current =
    amounts.current && `; ${visible(amounts.current.path)}${shareOf(amounts.current)}`;
  return `${title}: ${parts.join(', ') || 'starting'}${current ?? ''}`;
}

function firstLine(view: ProgressView, cells: number, paint: Paint): string {
  const done = shownFraction(view);
  const parts = partsOf(view);
  if (done === undefined) return fitting([...dropping(parts)], cells);
  const barCells = barCellsOf(cells + 1);
  const room = cells - PERCENT_CELLS - barCells - GAP.length;
  const candidates = [...dropping(parts)];
  const percent = percentText(done).padStart(PERCENT_CELLS - 1);
  const text = candidates.find((each) => each.length <= room);
  if (text === undefined || room < parts.left.length)
    return cutEnd(`${percent} ${parts.left}`, cells);
  const [filled, rest] = barParts(done, barCells, { full: '━', empty: '─' });
  return `${percent} ${paint('good', filled)}${paint('dim', rest)}${GAP}${text}`.trimEnd();
}

function barCellsOf(columns: number): number {
  if (columns < NARROW_COLUMNS) return NARROW_BAR_CELLS;
  return columns < WIDE_COLUMNS ? BAR_CELLS : WIDE_BAR_CELLS;
}

/**
 * Returns what the operation does, and the largest file in progress. The path of the file is shortened in the
 * middle.
 */
function secondLine({ title, amounts: { current } }: ProgressView, cells: number): string {
  if (!current) return cutMiddle(title, cells);
  const [path, share] = [visible(current.path), shareOf(current)];
  // The path is more important than the title and the percentage.
  const starts = [`${title}${share}${GAP}`, `${share}${GAP}`.trimStart()];
  const needed = Math.min(widthOf(path), MIN_PATH_CELLS);
  const start = starts.find((each) => cells - widthOf(each) >= needed) ?? '';
  return start + cutMiddle(path, cells - widthOf(start));
}

const MIN_PATH_CELLS = 16;

/**
 * The minimum size of a file whose percentage is shown. A smaller file is done before a user has read the
 * percentage.
 */
const MIN_SHOWN_BYTES = 1_000_000;

function shareOf({ bytes, sizeBytes, isRead }: FileInFlight): string {
  if (sizeBytes !== undefined && sizeBytes < MIN_SHOWN_BYTES) return '';
  if (sizeBytes === undefined) return `${GAP}${bytesText(bytes)}`;
  const share = sizeBytes === 0 ? 1 : Math.min(1, bytes / sizeBytes);
  return `${GAP}${percentText(share)} of ${bytesText(sizeBytes)}${isRead ? ' read' : ''}`;
}

interface Parts {
  readonly files: string;
  readonly bytes: string;
  readonly speed: string;
  readonly left: string;
  /** Whether the number of files is shown instead of the bytes, because the files are small. */
  readonly isSmall: boolean;
}

/** Returns the parts of the text. A part that does not apply is empty. */
function partsOf({ amounts, rates, remainingMs }: ProgressView): Parts {
  const { files, bytes, totalBytes, scanned } = amounts;
  // At the start, the amounts are used in place of the rates.
  const measured = rates ?? { filesPerSecond: files ?? 0, bytesPerSecond: bytes ?? 0 };
  const isSmall = bytes === undefined || isOfSmallFiles(measured);
  return {
    files: filesText(amounts),
    bytes:
      bytes === undefined || (scanned !== undefined && bytes === 0)
        ? ''
        : outOf(bytes, scanned === undefined ? totalBytes : undefined, bytesText),
    speed: rates ? speedText(rates, { isSmall, noun: amounts.noun ?? 'file' }) : '',
    left: remainingMs === undefined ? '' : `${remainingText(remainingMs)} left`,
    isSmall,
  };
}

/** Returns the remaining time in whole seconds, because tenths would only flicker. */
function remainingText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 10 ? `${seconds} s` : durationText(seconds * 1_000);
}

function filesText({ files, totalFiles, scanned, scan, noun = 'file' }: Amounts): string {
  if (scanned === undefined)
    return files === undefined ? '' : `${outOf(files, totalFiles, numberText)} ${noun}s`;
  const isWithin = scan !== undefined && scanned <= scan.files;
  const found = isWithin
    ? `scanning… ${numberText(scanned)} of about ${countText(scan.files, noun)}`
    : `scanning… ${countText(scanned, noun)} so far`;
  return files ? `${found}${GAP}${numberText(files)} done` : found;
}

/** Returns whether the files are so small that their number says more than their bytes. */
function isOfSmallFiles({ filesPerSecond, bytesPerSecond }: Rates): boolean {
  return filesPerSecond * FILE_COST_BYTES > bytesPerSecond;
}

function speedText(
  rates: Rates,
  { isSmall, noun }: { readonly isSmall: boolean; readonly noun: string },
): string {
  if (!isSmall) return rateText(Math.round(rates.bytesPerSecond));
  const { filesPerSecond } = rates;
  const isSlow = filesPerSecond < 10;
  const perSecond = isSlow ? Math.round(filesPerSecond * 10) / 10 : Math.round(filesPerSecond);
  return `${numberText(perSecond)} ${noun}s/s`;
}

/** Returns a text such as `4.05/11 MB`. The first amount has a unit only if its unit is different. */
function outOf(done: number, total: number | undefined, text: (value: number) => string): string {
  if (total === undefined) return text(done);
  const [amount = '', unit] = text(done).split(' ');
  const whole = text(total);
  return `${unit === whole.split(' ')[1] || done === 0 ? amount : text(done)}/${whole}`;
}

/** Yields the text of the first line, each time with fewer parts. */
function* dropping({ files, bytes, speed, left, isSmall }: Parts): Generator<string> {
  const amount = (isSmall ? files : bytes) || files || bytes;
  const choices = [[files, bytes, speed, left], [amount, speed, left], [amount, left], [left]];
  for (const choice of choices) yield choice.filter((part) => part !== '').join(GAP);
}

/** Returns the first text that fits. If none fits, truncates the first text that is not empty. */
function fitting(texts: readonly string[], cells: number): string {
  const text = texts.find((each) => each !== '' && each.length <= cells);
  return text ?? cutEnd(texts.findLast((each) => each !== '') ?? 'starting…', cells);
}

/**
 * Matches characters that most terminals draw in two cells. Text is truncated too early rather than too late.
 */
const WIDE =
  /[\u{1100}-\u{115f}\u{2e80}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe10}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]|\p{Extended_Pictographic}/u;

/** Returns the maximum number of cells that the text takes on a terminal. */
export function widthOf(text: string): number {
  return clustersOf(text).reduce((width, cluster) => width + cellsOf(cluster), 0);
}

function cellsOf(cluster: string): number {
  return WIDE.test(cluster) ? 2 : 1;
}

function clustersOf(text: string): string[] {
  if (/^[ -~…━─]*$/.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

// The segmenter is created on demand, because that takes a tenth of the time of a short command.
let segmenter: Intl.Segmenter | undefined;

/** Returns the text. If it is wider than this number of cells, returns its start. */
export function cutEnd(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  const clusters = clustersOf(text);
  return `${clusters.slice(0, countOf(clusters, cells - 1)).join('')}…`;
}

/**
 * The share of the width for the end of a path. The end gets more than the start, because it contains the name
 * of the file.
 */
const END_SHARE = 0.6;

/**
 * Returns the text. If it is too wide, returns its start and its end, so that the name of a file stays readable.
 */
export function cutMiddle(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  const clusters = clustersOf(text);
  const endCells = Math.ceil((cells - 1) * END_SHARE);
  const ends = countOf(clusters.toReversed(), endCells);
  const end = ends === 0 ? '' : clusters.slice(-ends).join('');
  const start = clusters.slice(0, countOf(clusters, cells - 1 - widthOf(end))).join('');
  return `${start}…${end}`;
}

/** Returns how many of the clusters fit into this number of cells. */
function countOf(clusters: readonly string[], cells: number): number {
  let [count, width] = [0, 0];
  for (const cluster of clusters) {
    width += cellsOf(cluster);
    if (width > cells) break;
    count += 1;
  }
  return count;
}
