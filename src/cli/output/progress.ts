/** Shows the progress of a long operation: a bar on a terminal, and a line every few seconds elsewhere. */

import type { Clock } from '../../base/clock.ts';
import { painter } from './output.ts';
import type { Io, Paint, Sink } from './output.ts';
import { bytesText, numberText, percentText, rateText } from '../../text/amounts.ts';
import { durationText } from '../../text/time.ts';
import { barParts } from '../../text/sparkline.ts';

/** The amounts of work that are done and in total. A member is absent if it is unknown or does not apply. */
export interface Amounts {
  readonly files?: number;
  readonly bytes: number;
  readonly totalFiles?: number;
  readonly totalBytes?: number;
  /** The number of paths that a listing has found. Present only during the listing, before other work starts. */
  readonly listed?: number;
  /** Whether the totals still grow, so that the remaining time cannot be estimated. */
  readonly isGrowing?: boolean;
}

/** Eight redraws a second look smooth. More would only cost more writes. */
const REDRAW_MS = 125;
const PLAIN_LINE_MS = 5_000;
/** The overhead of a file, in bytes. Without it, the bar would hardly move while small files are transferred. */
const FILE_COST_BYTES = 64 * 1024;
const BAR_CELLS = 24;
const NARROW_BAR_CELLS = 12;
const NARROW_COLUMNS = 100;
/** The width of ` 100 %` and the gap after it. */
const PERCENT_CELLS = 8;
const MIN_COLUMNS_FOR_BAR = 60;
const DEFAULT_COLUMNS = 80;
/** The time before a rate is shown, because an earlier one is inaccurate. */
const RATE_AFTER_MS = 1_000;

/** Returns the fraction that is done, from 0 to 1. Returns undefined while the total is unknown. */
export function fraction(amounts: Amounts): number | undefined {
  const { files = 0, bytes, totalFiles = 0, totalBytes } = amounts;
  if (totalBytes === undefined) return undefined;
  const total = totalBytes + totalFiles * FILE_COST_BYTES;
  return total === 0 ? 1 : Math.min(1, (bytes + files * FILE_COST_BYTES) / total);
}

/** Returns the amounts as text: `2,113 of 5,012 files, 1.2 GB of 3.1 GB, 85 MB/s, 21 s left`. */
export function amountsText(amounts: Amounts, elapsedMs: number): string {
  return amountsParts(amounts, elapsedMs).join(', ');
}

/** Returns the parts of the text, the most important one last. */
function amountsParts(amounts: Amounts, elapsedMs: number): string[] {
  const { files, bytes, totalFiles, totalBytes, listed, isGrowing } = amounts;
  if (listed !== undefined) return [`${numberText(listed)} paths found`];
  const parts: string[] = [];
  if (files !== undefined) parts.push(`${outOf(files, totalFiles, numberText)} files`);
  parts.push(outOf(bytes, totalBytes, bytesText));
  const done = fraction(amounts);
  if (done === undefined || elapsedMs < RATE_AFTER_MS) return parts;
  parts.push(speedText(amounts, elapsedMs));
  if (done > 0 && done < 1 && !isGrowing)
    parts.push(`${durationText((elapsedMs / done) * (1 - done))} left`);
  return parts;
}

/** Returns the rate in files if the files are small, and in bytes otherwise. */
function speedText({ files = 0, bytes }: Amounts, elapsedMs: number): string {
  const perSecond = (amount: number) => Math.round((amount / elapsedMs) * 1_000);
  if (files * FILE_COST_BYTES > bytes) return `${numberText(perSecond(files))} files/s`;
  return rateText(perSecond(bytes));
}

function outOf(done: number, total: number | undefined, text: (value: number) => string): string {
  return total === undefined ? text(done) : `${text(done)} of ${text(total)}`;
}

/** Returns a bar with the percentage: `━━━━━━━━────────────────  33 %`. */
function barText(done: number, cells: number, paint: Paint): string {
  const [filled, rest] = barParts(done, cells, { full: '━', empty: '─' });
  return `${paint('good', filled) + paint('dim', rest)} ${percentText(done).padStart(5)}`;
}

/** Writes the progress to standard error, so that standard output contains only the result. */
export class Progress {
  readonly #sink: Sink;
  readonly #clock: Clock;
  readonly #paint: Paint;
  readonly #startedAt: number;
  readonly #isOff: boolean;
  #shownAt: number | undefined;
  #drawn = false;

  constructor(io: Pick<Io, 'stderr' | 'clock' | 'env'>) {
    this.#sink = io.stderr;
    this.#clock = io.clock;
    this.#paint = painter(io.stderr, io.env);
    this.#startedAt = io.clock.monotonic();
    this.#isOff = Boolean(io.env['HOLDFAST_NO_PROGRESS']);
  }

  /** Shows the amounts, unless the last ones were shown too recently. */
  show(title: string, amounts: Amounts): void {
    if (this.#isOff) return;
    const now = this.#clock.monotonic();
    const everyMs = this.#sink.isTTY ? REDRAW_MS : PLAIN_LINE_MS;
    // Without a terminal, the first line is delayed as well, so that short operations print none.
    const lastAt = this.#shownAt ?? (this.#sink.isTTY ? -Infinity : this.#startedAt);
    if (now - lastAt < everyMs) return;
    this.#shownAt = now;
    const elapsedMs = now - this.#startedAt;
    if (this.#sink.isTTY) this.#draw(title, amounts, elapsedMs);
    else this.#sink.write(`${title}: ${amountsText(amounts, elapsedMs)}\n`);
  }

  /** Removes the bar. Call it before other output and at the end. */
  clear(): void {
    if (this.#drawn) this.#sink.write('\r\x1b[K');
    this.#drawn = false;
  }

  #draw(title: string, amounts: Amounts, elapsedMs: number): void {
    const columns = this.#sink.columns ?? DEFAULT_COLUMNS;
    const done = columns < MIN_COLUMNS_FOR_BAR ? undefined : fraction(amounts);
    const barCells = columns < NARROW_COLUMNS ? NARROW_BAR_CELLS : BAR_CELLS;
    const bar = done === undefined ? '' : `${barText(done, barCells, this.#paint)}  `;
    const cells = columns - 1 - (done === undefined ? 0 : barCells + PERCENT_CELLS);
    const parts = amountsParts(amounts, elapsedMs);
    const textOf = () => `${title}  ${parts.join(', ')}`;
    while (parts.length > 1 && textOf().length > cells) parts.shift();
    this.#sink.write(`\r\x1b[K${bar}${textOf().slice(0, cells)}`);
    this.#drawn = true;
  }
}
