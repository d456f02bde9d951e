/** Draws several charts of the same time span below each other, with the times at the bottom. */

import { clockText, dayText, minuteText } from '../../src/text/time.ts';
import { widthOf } from '../text/width.ts';
import type { Look } from '../theme/look.ts';
import { axisCells, chartHead, chartLines } from './charts.ts';
import type { Area } from './layout.ts';

export interface StackedChart {
  readonly values: readonly (number | undefined)[];
  /** Returns the label for a value on the axis. */
  readonly text: (value: number) => string;
  /** The headings above the chart, the longest first. */
  readonly heads: readonly string[];
  /** The line that replaces a chart without any value above zero. */
  readonly emptyLine: string;
}

interface StackOptions extends Area {
  readonly from: number;
  readonly to: number;
  /** The minimum height of a chart with its heading. The charts that do not fit are omitted. */
  readonly least: number;
}

/**
 * Returns as many charts as fit, in their order, and the line of times. A chart without any value above zero is a single
 * line, and leaves its rows to the other charts.
 */
export function stackedCharts(
  charts: readonly StackedChart[],
  { columns, rows, from, to, least }: StackOptions,
  look: Look,
): string[] {
  const shown = fittingCharts(charts, rows - 1, least);
  const full = shown.filter(hasBars);
  const spare = rows - 1 - (shown.length - full.length);
  const each = Math.max(1, Math.floor(spare / full.length) - 1);
  const labelCells = Math.max(
    0,
    ...full.map(({ values, text }) => axisCells(values, { rows: each, text })),
  );
  const lines = shown.flatMap((chart) => {
    const { values, text, heads, emptyLine } = chart;
    if (!hasBars(chart)) return [look.paint('dim', look.cut(emptyLine, columns))];
    const options = { width: columns, rows: each, labelCells, text };
    const head = look.cut(chartHead(heads, values, options), columns);
    return [head].concat(chartLines(values, options, look));
  });
  if (full.length === 0) return lines;
  return [...lines, timesLine({ from, to }, { width: columns, labelCells }, look)];
}

function hasBars({ values }: StackedChart): boolean {
  return values.some((value) => value !== undefined && value > 0);
}

/** Returns the first charts that fit into the rows, at least one. */
function fittingCharts(
  charts: readonly StackedChart[],
  rows: number,
  least: number,
): readonly StackedChart[] {
  let left = rows;
  const count = charts.findIndex((chart) => {
    left -= hasBars(chart) ? least : 1;
    return left < 0;
  });
  return count < 0 ? charts : charts.slice(0, Math.max(1, count));
}

/** The distance between two labels of the line of times, in cells. */
const LABEL_CELLS = 40;
const DAY_MS = 24 * 60 * 60_000;

/** Returns the line below charts, with its first and last time, and the times between them if there is space. */
export function timesLine(
  { from, to }: { readonly from: number; readonly to: number },
  { width, labelCells }: { readonly width: number; readonly labelCells: number },
  look: Look,
): string {
  const [start, end] = [minuteText(from), minuteText(to)];
  const indent = labelCells + 1;
  const room = width - indent;
  let line = start;
  const parts = Math.floor(room / LABEL_CELLS);
  for (let part = 1; part < parts; part += 1) {
    const at = from + ((to - from) * part) / parts;
    const label = to - from > 2 * DAY_MS ? dayText(at).slice(5) : clockText(at).slice(0, 5);
    const begin = Math.round((room * part) / parts) - Math.floor(widthOf(label) / 2);
    line = line.padEnd(begin) + label;
  }
  const gap = Math.max(1, room - widthOf(line) - widthOf(end));
  return look.paint('dim', `${' '.repeat(indent)}${line}${' '.repeat(gap)}${end}`);
}
