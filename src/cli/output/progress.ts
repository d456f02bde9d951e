/**
 * Shows the progress of a long operation: two lines on a terminal, a line every ten seconds in other outputs, or JSON.
 */

import { stripVTControlCharacters } from 'node:util';

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { type Io, type Output, painter, type Paint, type Sink } from './output.ts';
import {
  type Amounts,
  costOf,
  fraction,
  plainLine,
  progressLines,
  shownFraction,
  type ProgressView,
  totalCostOf,
  widthOf,
} from './progress-lines.ts';

export type { Amounts } from './progress-lines.ts';

/** The redraw interval. Five redraws per second look smooth. */
const REDRAW_MS = 200;
const JSON_MS = 1_000;
const PLAIN_LINE_MS = 10_000;
const DEFAULT_COLUMNS = 80;
/** How long to wait before a rate and a remaining time are shown. Earlier values are inaccurate. */
const RATE_AFTER_MS = 1_000;
const REMAINING_AFTER_MS = 3_000;
/** The longest estimate that is shown. A longer estimate only means that almost no data is being transferred. */
const MAX_REMAINING_MS = 48 * 3_600_000;
/** The time after which the weight of a transfer in the rate has decreased to 37 %. */
const RATE_MEMORY_MS = 6_000;

/** The parts of a command's context that the progress needs. */
export interface ProgressContext {
  readonly io: Pick<Io, 'stderr' | 'clock' | 'env'>;
  readonly json: boolean;
  readonly out: Pick<Output, 'jsonEvent'>;
}

/** An exponentially weighted average of the work per second. It decays when nothing arrives. */
class SmoothRate {
  #average = 0;
  #weight = 0;
  #last: number | undefined;

  /**
   * Adds the amount that is done now, `elapsedMs` after the previous call. An increase is never counted as negative.
   */
  add(done: number, elapsedMs: number): void {
    const grown = Math.max(0, done - (this.#last ?? done));
    this.#last = done;
    if (elapsedMs <= 0) return;
    const kept = Math.exp(-elapsedMs / RATE_MEMORY_MS);
    this.#average = this.#average * kept + (grown / elapsedMs) * 1_000 * (1 - kept);
    this.#weight = this.#weight * kept + (1 - kept);
  }

  /**
   * The average per second. The division corrects for the time before the first call, in which nothing was measured.
   */
  get perSecond(): number {
    return this.#weight === 0 ? 0 : this.#average / this.#weight;
  }
}

/**
 * Shows the progress of one operation on standard error, so that standard output contains only the result. With
 * `--json`, writes progress events to standard output instead. A timer redraws the progress, so that it never appears
 * frozen.
 */
export class Progress {
  readonly #sink: Sink;
  readonly #clock: Clock;
  readonly #out: ProgressContext['out'];
  readonly #paint: Paint;
  readonly #how: 'off' | 'json' | 'terminal' | 'plain';
  #title = '';
  #amounts: Amounts | undefined;
  /** The largest amounts shown. A file whose transfer is repeated does not decrease them. */
  #most: Pick<Amounts, 'bytes' | 'files'> = {};
  #leastDone = 0;
  #files = new SmoothRate();
  #bytes = new SmoothRate();
  #cost = new SmoothRate();
  #scanned = new SmoothRate();
  #scanningSince: number | undefined;
  #firstCost: number | undefined;
  #measuredSince: number | undefined;
  #measuredAt = 0;
  #writtenAt = 0;
  /** The lines on the terminal, without colors. Empty if none are drawn. */
  #drawn: readonly string[] = [];
  #cancel: (() => void) | undefined;
  #isOver: boolean;

  constructor({ io, json, out }: ProgressContext) {
    this.#sink = io.stderr;
    this.#clock = io.clock;
    this.#out = out;
    this.#paint = painter(io.stderr, io.env);
    this.#how = howToShow(io, json);
    this.#isOver = this.#how === 'off';
  }

  /** Starts to show the progress. The amounts are still unknown. */
  start(title: string): void {
    this.#title = title;
    if (this.#isOver || this.#cancel) return;
    this.#writtenAt = this.#clock.monotonic();
    this.#schedule();
  }

  /** Stores the amounts. The timer shows them. Only the first amounts are drawn immediately. */
  show(title: string, amounts: Amounts): void {
    const isFirst = this.#amounts === undefined;
    if (title !== this.#title) {
      this.#most = {};
      this.#leastDone = 0;
    }
    this.#most = mostOf(this.#most, amounts);
    this.#amounts = { ...amounts, ...this.#most };
    this.start(title);
    if (this.#isOver || !isFirst) return;
    this.#measure(amounts);
    if (this.#how === 'terminal') this.#draw();
  }

  /** Whether the progress is shown at all. */
  get isShown(): boolean {
    return !this.#isOver;
  }

  /**
   * Removes the lines from the terminal. It must be called before any other output. The timer draws the lines again.
   */
  clear(): void {
    if (this.#drawn.length === 0) return;
    this.#sink.write(this.#toStart());
    this.#drawn = [];
  }

  /** Removes the lines permanently. It must be called before the result is printed. */
  end(): void {
    this.#isOver = true;
    this.#cancel?.();
    this.clear();
  }

  #schedule(): void {
    const everyMs = this.#how === 'terminal' ? REDRAW_MS : JSON_MS;
    this.#cancel = this.#clock.after(everyMs, () => {
      this.#schedule();
      this.#tick();
    });
  }

  #tick(): void {
    const now = this.#clock.monotonic();
    if (this.#amounts) this.#measure(this.#amounts);
    if (this.#how === 'terminal') return this.#draw();
    if (this.#how === 'json') return this.#writeEvent();
    if (now - this.#writtenAt < PLAIN_LINE_MS) return;
    this.#writtenAt = now;
    this.#sink.write(`${plainLine(this.#view())}\n`);
  }

  /** Measures the rates since the previous call. Excludes the time before the first byte, for example during a scan. */
  #measure(amounts: Amounts): void {
    const now = this.#clock.monotonic();
    const cost = costOf(amounts);
    this.#firstCost ??= cost;
    if (cost > this.#firstCost) this.#measuredSince ??= this.#measuredAt;
    if (amounts.scanned) this.#scanningSince ??= now;
    this.#scanned.add(amounts.scanned ?? 0, now - this.#measuredAt);
    const elapsedMs = this.#measuredSince === undefined ? 0 : now - this.#measuredAt;
    this.#measuredAt = now;
    this.#files.add(amounts.files ?? 0, elapsedMs);
    this.#bytes.add(amounts.bytes ?? 0, elapsedMs);
    this.#cost.add(cost, elapsedMs);
  }

  #view(): ProgressView {
    const amounts = this.#amounts ?? {};
    const now = this.#clock.monotonic();
    const measuredMs = now - (this.#measuredSince ?? Infinity);
    const scanMs = now - (this.#scanningSince ?? Infinity);
    const isMeasured = Math.max(measuredMs, scanMs) >= REMAINING_AFTER_MS;
    const rates = {
      filesPerSecond: this.#files.perSecond,
      bytesPerSecond: this.#bytes.perSecond,
    };
    const leastDone = this.#leastDone;
    this.#leastDone = Math.max(leastDone, fraction(amounts) ?? 0);
    return {
      title: this.#title,
      amounts,
      leastDone,
      ...(measuredMs >= RATE_AFTER_MS && { rates }),
      ...(isMeasured && defined({ remainingMs: this.#remainingMs(amounts) })),
    };
  }

  #remainingMs(amounts: Amounts): number | undefined {
    const total = totalCostOf(amounts);
    const ms =
      total === undefined ? this.#untilScanEnds(amounts) : this.#timeOf(total - costOf(amounts));
    return ms !== undefined && ms > 0 && ms <= MAX_REMAINING_MS ? ms : undefined;
  }

  /** Returns how long an amount of work takes at the current rate. Returns undefined if nothing arrives. */
  #timeOf(cost: number): number | undefined {
    const rate = this.#cost.perSecond;
    if (cost <= 0) return 0;
    return rate <= 0 ? undefined : (cost / rate) * 1_000;
  }

  /**
   * Returns the remaining time of the scan and of the work that it has found so far. While many files are sent, the
   * scan runs only slightly ahead of the uploads, so the rate of the scan includes the time of the uploads.
   */
  #untilScanEnds(amounts: Amounts): number | undefined {
    const { scanned = 0, scan } = amounts;
    const rate = this.#scanned.perSecond;
    if (!scan || scanned > scan.files || rate <= 0) return undefined;
    const found = costOf({ files: scan.foundFiles, bytes: scan.foundBytes });
    const workMs = this.#timeOf(found - costOf(amounts));
    return workMs === undefined ? undefined : ((scan.files - scanned) / rate) * 1_000 + workMs;
  }

  #draw(): void {
    const columns = this.#sink.columns || DEFAULT_COLUMNS;
    const lines = progressLines(this.#view(), columns, this.#paint);
    this.#sink.write(this.#toStart() + lines.join('\n'));
    this.#drawn = lines.map((line) => stripVTControlCharacters(line));
  }

  /** Returns the escape sequences that remove the drawn lines, even if a narrower terminal has wrapped them. */
  #toStart(): string {
    const columns = this.#sink.columns || DEFAULT_COLUMNS;
    const rows = this.#drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)),
      0,
    );
    return `${rows > 1 ? `\x1b[${rows - 1}A` : ''}\r\x1b[J`;
  }

  #writeEvent(): void {
    const view = this.#view();
    const { title, amounts, rates, remainingMs } = view;
    const done = shownFraction(view);
    const remainingSeconds =
      remainingMs === undefined ? undefined : Math.round(remainingMs / 1_000);
    const { noun: _, scan, ...known } = amounts;
    const rounded = rates && {
      filesPerSecond: Math.round(rates.filesPerSecond * 10) / 10,
      bytesPerSecond: Math.round(rates.bytesPerSecond),
    };
    const share = done === undefined ? undefined : Math.round(done * 1_000) / 1_000;
    const expected = scan && { expected: scan.files };
    const event = { type: 'progress', title, ...known, ...expected, ...rounded };
    // If standard output is closed, writing the result fails with the same error.
    this.#out
      .jsonEvent({ ...event, ...defined({ share, remainingSeconds }) })
      .catch(() => undefined);
  }
}

/** Returns the larger of the amounts, but not more than the totals. */
function mostOf(
  before: Pick<Amounts, 'bytes' | 'files'>,
  { files, bytes, totalFiles = Infinity, totalBytes = Infinity }: Amounts,
): Pick<Amounts, 'bytes' | 'files'> {
  const most = (now: number | undefined, earlier: number | undefined, total: number) =>
    now === undefined ? undefined : Math.max(now, Math.min(earlier ?? 0, total));
  return defined({
    files: most(files, before.files, totalFiles),
    bytes: most(bytes, before.bytes, totalBytes),
  });
}

function howToShow(
  { stderr, env }: ProgressContext['io'],
  json: boolean,
): 'off' | 'json' | 'terminal' | 'plain' {
  if (env['HOLDFAST_NO_PROGRESS']) return 'off';
  if (json) return 'json';
  // A dumb terminal has no escape sequences that remove a line.
  return stderr.isTTY && env['TERM'] !== 'dumb' ? 'terminal' : 'plain';
}
