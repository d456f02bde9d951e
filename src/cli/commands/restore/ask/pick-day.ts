/** Lets the user choose a time from a calendar that marks the days with changes. */

import { changeRowSchema, type ChangeRow } from '../../../../control/methods/history.ts';
import { readRows } from '../../../../control/rows.ts';
import type { Context } from '../../../context.ts';
import { type DayTotals, dayTotals } from '../folder-history.ts';
import {
  type Calendar,
  calendarLines,
  type Chosen,
  openCalendar,
  pressCalendar,
} from './calendar.ts';
import { runPicker } from './picker.ts';
import type { Source } from './source.ts';

/** Resolves with the chosen time. While the user chooses, counts the changes of each day. */
export function pickDay(context: Context, source: Source, job: string): Promise<Chosen> {
  const { io } = context;
  return runPicker<Chosen>(io, ({ redraw, fail, signal }) => {
    let calendar: Calendar = openCalendar(io.clock.now());
    const rows: ChangeRow[] = [];
    let days: ReadonlyMap<string, DayTotals> | undefined;
    const undated = new Set<string>();
    const known = () => ({
      now: io.clock.now(),
      days: days ?? new Map<string, DayTotals>(),
      undated: undated.size,
      ...(days === undefined && { counted: rows.length }),
    });
    const read = async () => {
      const { stream } = await source.call('history.changes', { job }, { signal });
      for await (const row of readRows(source, { stream, row: changeRowSchema }, signal)) {
        rows.push(row);
        if (row.isUndated) undated.add(row.path);
        redraw();
      }
      days = dayTotals(rows);
      redraw();
    };
    read().catch(fail);
    return {
      lines: () => calendarLines(job, calendar, known()),
      press: (key) => {
        const next = pressCalendar(calendar, key, known());
        if ('is' in next) return { result: next };
        calendar = next;
        return undefined;
      },
    };
  });
}
