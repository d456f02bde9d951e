/**
 * Defines a row of the results of the benchmark. Each row has a figure and a reference figure (`yardstick`) from the
 * same run, because machines differ.
 */

export interface Row {
  readonly name: string;
  readonly figure: number;
  readonly unit: string;
  readonly yardstick: string;
  readonly yardstickFigure: number;
  /** The quotient of `figure` and `yardstickFigure`. */
  readonly ratio: number;
  /** The required ratio. Absent for a figure that only explains another figure. */
  readonly goal?: Goal;
  readonly met?: boolean;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

export interface Measured {
  readonly figure: number;
  readonly yardstick: string;
  readonly yardstickFigure: number;
}

export function row(name: string, unit: string, measured: Measured, goal?: Goal): Row {
  const ratio = measured.figure / measured.yardstickFigure;
  if (!goal) return { name, unit, ...measured, ratio };
  const met = 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
  return { name, unit, ...measured, ratio, goal, met };
}

/** Returns a row whose figure must not exceed a limit in the same unit. */
export function limited(name: string, unit: string, figure: number, limit: number): Row {
  return row(name, unit, { figure, yardstick: 'limit', yardstickFigure: limit }, { atMost: 1 });
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(figures: readonly number[], part: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Formats a figure with three significant digits, because the measurements are not more precise. */
const short = (figure: number): string => String(Number(figure.toPrecision(3)));

const STANDING = new Map([
  [true, 'met '],
  [false, 'miss'],
]);

export function print(each: Row): void {
  const columns = [
    each.met === undefined ? '    ' : STANDING.get(each.met),
    each.name.padEnd(46),
    `${short(each.figure)} ${each.unit}`.padEnd(18),
    `${each.yardstick}: ${short(each.yardstickFigure)}`.padEnd(38),
    `ratio ${short(each.ratio)}${each.goal ? ` (goal ${goalText(each.goal)})` : ''}`,
  ];
  process.stdout.write(`${columns.join(' ')}\n`);
}

function goalText(goal: Goal): string {
  return 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
}
