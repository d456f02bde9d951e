/** Draws series of values and shares as bars of terminal characters. */

import { barParts, resampled, sparkline as sparklineText } from '../../src/text/sparkline.ts';
import { pad, widthOf } from '../text/width.ts';
import type { Look, Tone } from '../theme/look.ts';

/**
 * Returns the latest values as a row of bars, `width` cells wide. The latest value is at the right. `least` is the
 * value of the lowest bar.
 */
export function sparkline(
  values: readonly (number | undefined)[],
  width: number,
  { glyphs }: Look,
  least = 0,
): string {
  return sparklineText(values.slice(-width), { bars: glyphs.bars, least }).padStart(width);
}

/** Returns a bar for a share from 0 to 1: `██████░░░░`. */
export function bar(share: number, width: number, { glyphs }: Look, full = glyphs.full): string {
  return barParts(share, width, { full, empty: glyphs.empty }).join('');
}

/**
 * Returns a bar for a share from 0 to 1 in which small shares are visible and comparable: `█▎░░░`. The last filled cell
 * may be partly filled.
 */
export function shareBar(share: number, width: number, look: Look): string {
  const { full, empty, slices } = look.glyphs;
  const parts = slices.length + 1;
  const filled = Math.max(share > 0 ? 1 : 0, Math.round(Math.min(1, share) * width * parts));
  const slice = slices[(filled % parts) - 1] ?? '';
  return (full.repeat(Math.floor(filled / parts)) + slice).padEnd(width, empty);
}

/** Colours a bar: the filled part in the given tone, and the rest in the tone `track`. */
export function paintedBar(text: string, tone: Tone, look: Look): string {
  const at = text.indexOf(look.glyphs.empty);
  const done = at < 0 ? text.length : at;
  return look.paint(tone, text.slice(0, done)) + look.paint('track', text.slice(done));
}

export interface ChartOptions {
  /** The width in cells, including the axis labels. */
  readonly width: number;
  readonly rows: number;
  /** Returns the label for a value on the axis. */
  readonly text: (value: number) => string;
  /**
   * The width of the axis labels in cells, so that charts above each other start in the same column. The default is the
   * width that the labels need.
   */
  readonly labelCells?: number;
}

/** Returns the number of cells that the axis labels need. */
export function axisCells(
  values: readonly (number | undefined)[],
  options: Pick<ChartOptions, 'rows' | 'text'>,
): number {
  return Math.max(...axisLabels(values, options).map(widthOf));
}

/**
 * If a series varies by less than this share, its chart starts at a baseline above zero, so that the variation is
 * visible.
 */
const FLAT_SHARE = 0.1;

function topOf(values: readonly (number | undefined)[]): number {
  return Math.max(0, ...values.filter((value) => value !== undefined));
}

/**
 * Returns the value at the lower end of a chart's axis: 0, or a baseline above zero if the values vary only a little.
 * Equal values have no variation to show.
 */
export function baselineOf(values: readonly (number | undefined)[]): number {
  const known = values.filter((value) => value !== undefined);
  const [least, most] = [Math.min(Infinity, ...known), Math.max(0, ...known)];
  return least < most && least > most * (1 - FLAT_SHARE) ? most * (1 - FLAT_SHARE) : 0;
}

/**
 * Returns the longest of the headings that fits above a chart. If the axis does not start at zero, the heading states
 * its lowest value, because the bars then exaggerate the differences.
 */
export function chartHead(
  heads: readonly string[],
  values: readonly (number | undefined)[],
  { width, text }: Pick<ChartOptions, 'width' | 'text'>,
): string {
  const base = baselineOf(values);
  const axis = base > 0 ? `   axis from ${text(axisValue(base))}` : '';
  const fitting = heads.find((head) => widthOf(head) + widthOf(axis) <= width);
  return `${fitting ?? heads.at(-1) ?? ''}${axis}`;
}

/**
 * Draws a chart of several rows with an axis at its left and the oldest value first. Values are repeated or averaged to
 * fill the width. An unknown value has no bar; a value at the lower end of the axis has the lowest bar.
 */
export function chartLines(
  values: readonly (number | undefined)[],
  { width, rows, text, labelCells }: ChartOptions,
  look: Look,
): string[] {
  const [base, top] = [baselineOf(values), topOf(values)];
  const labels = axisLabels(values, { rows, text });
  const cells = labelCells ?? Math.max(...labels.map(widthOf));
  const room = Math.max(1, width - cells - 1);
  const { bars, down } = look.glyphs;
  const steps = rows * bars.length;
  const heights = resampled(values, room).map((value) => {
    if (value === undefined) return 0;
    const share = top > base ? (value - base) / (top - base) : 0;
    return Math.max(1, Math.round(share * steps));
  });
  return labels.map((label, row) => {
    const below = (rows - 1 - row) * bars.length;
    const drawn = heights.map((height) => {
      const part = Math.min(bars.length, height - below);
      return part <= 0 ? ' ' : (bars[part - 1] ?? ' ');
    });
    const axis = look.paint('dim', pad(label, cells, 'right') + down);
    return axis + look.paint('chart', drawn.join('').trimEnd());
  });
}

const LABELLED_ROWS = 5;

/**
 * Returns the axis label for each row of a chart, from the top. Both ends are labelled, and the middle if there is
 * enough space.
 */
function axisLabels(
  values: readonly (number | undefined)[],
  { rows, text }: Pick<ChartOptions, 'rows' | 'text'>,
): string[] {
  const [base, top] = [baselineOf(values), topOf(values)];
  const labels = Array.from({ length: rows }, () => '');
  if (rows >= LABELLED_ROWS && top > base) {
    labels[Math.floor(rows / 2)] = text(axisValue((base + top) / 2));
  }
  if (top > base) labels[0] = text(axisValue(top));
  labels[rows - 1] = text(axisValue(base));
  return labels;
}

/** Rounds a value for a label. A small value keeps its decimals, because `0` would be wrong for 0.35 requests. */
function axisValue(value: number): number {
  return value < 10 ? value : Math.round(value);
}
