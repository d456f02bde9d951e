/** A row of the bench: a figure beside a yardstick measured in the same run, since machines differ. */

export interface Row {
  readonly name: string;
  readonly figure: number;
  readonly unit: string;
  readonly yardstick: string;
  readonly yardstickFigure: number;
  /** figure / yardstickFigure. */
  readonly ratio: number;
  /** What performance asks of the ratio: at least, or at most. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number };
  readonly met: boolean;
}

export function row(
  name: string,
  unit: string,
  measured: { figure: number; yardstick: string; yardstickFigure: number },
  goal: Row['goal'],
): Row {
  const ratio = measured.figure / measured.yardstickFigure;
  const met = 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
  return { name, unit, ...measured, ratio, goal, met };
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(figures: readonly number[], part: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Three significant figures: more would claim a precision that the machine does not have. */
const short = (figure: number): string => String(Number(figure.toPrecision(3)));

export function print(each: Row): void {
  const goal = 'atLeast' in each.goal ? `≥ ${each.goal.atLeast}` : `≤ ${each.goal.atMost}`;
  const columns = [
    each.met ? 'met ' : 'miss',
    each.name.padEnd(46),
    `${short(each.figure)} ${each.unit}`.padEnd(18),
    `${each.yardstick}: ${short(each.yardstickFigure)}`.padEnd(38),
    `ratio ${short(each.ratio)} (goal ${goal})`,
  ];
  process.stdout.write(`${columns.join(' ')}\n`);
}
