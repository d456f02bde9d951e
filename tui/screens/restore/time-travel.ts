/** The times at which a folder changed, and going back and forth between them. Pure. */

import type { Result } from '../../../src/control/messages.ts';
import { sparkline } from '../../widgets/charts.ts';
import { countText } from '../../../src/text/amounts.ts';
import { dayText, durationText, timeText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';

export type Moments = Pick<Result<'history.moments'>, 'moments' | 'isComplete' | 'undated'>;

/** Undefined: now. */
export type At = number | undefined;

/** The last change at or before that time, from the newest on; as many as there are when it is before all. */
function indexAt({ moments }: Moments, at: At): number {
  if (at === undefined) return 0;
  const index = moments.findIndex((moment) => moment.at <= at);
  return index < 0 ? moments.length : index;
}

/** As it was before the change that made it what it is; the time before the first one has nothing. Undefined: there is none. */
export function earlier(known: Moments, at: At): number | undefined {
  const { moments } = known;
  const index = indexAt(known, at);
  if (index >= moments.length) return undefined;
  return moments[index + 1]?.at ?? (moments[index]?.at ?? 0) - 1;
}

/** As the next change made it; `now` from the last one on. */
export function later(known: Moments, at: At): number | 'now' {
  return known.moments[indexAt(known, at) - 1]?.at ?? 'now';
}

/** Whether nothing changed since. */
export function isNow(known: Moments, at: At): boolean {
  return indexAt(known, at) === 0;
}

/** Returns the heading: `as of 2026-11-20 14:03:22 (22 h 4 min ago)   time 12 of 14: 3 changes`. */
export function headingText(known: Moments | undefined, at: At, now: number): string {
  const when =
    at === undefined ? 'as it is now' : `as of ${timeText(at)} (${durationText(now - at)} ago)`;
  if (!known) return when;
  const { moments, isComplete, undated } = known;
  const count = `${moments.length}${isComplete ? '' : '+'}`;
  if (moments.length === 0) return `${when}   nothing ever changed here`;
  const index = indexAt(known, at);
  const moment = moments[index];
  if (!moment) return `${when}   before the first of ${count} times`;
  const unsure = undated > 0 ? '   some dates are not reliable' : '';
  return `${when}   time ${moments.length - index} of ${count}: ${countText(moment.changes, 'change')}${unsure}`;
}

/** Few times stand apart, so that the mark is seen to move. */
const WIDEST_STRIDE = 4;

/** All times from the oldest to the newest, as bars of how much changed, with a mark below the one that is shown. */
export function sliderLines(known: Moments, at: At, width: number, look: Look): string[] {
  const { moments } = known;
  const oldest = moments.at(-1);
  if (!oldest) return [];
  const [start, end] = [`${dayText(oldest.at)} `, ' now'];
  const room = width - start.length - end.length - 2;
  const cells = cellsOf(moments, room);
  const stride = Math.max(1, Math.min(WIDEST_STRIDE, Math.floor(room / cells.length)));
  const between = look.paint('dim', look.glyphs.across.repeat(stride - 1));
  const bars = Array.from(sparkline(cells, cells.length, look)).join(between);
  const index = indexAt(known, at);
  const place =
    index >= moments.length ? -1 : cellOf(moments.length - 1 - index, moments.length, cells.length);
  const gap = ' '.repeat(start.length + 1 + Math.max(0, place * stride));
  const mark = place < 0 ? ` ${look.glyphs.up} before all` : `${gap}${look.glyphs.up}`;
  return [
    ` ${look.paint('dim', start)}${bars}${look.paint('dim', end)}`,
    look.paint('accent', mark),
  ];
}

/** More times than cells: several share one. */
function cellsOf(moments: Moments['moments'], room: number): number[] {
  const cells = Array.from({ length: Math.min(room, moments.length) }, () => 0);
  moments.forEach(({ changes }, index) => {
    const cell = cellOf(moments.length - 1 - index, moments.length, cells.length);
    cells[cell] = (cells[cell] ?? 0) + changes;
  });
  return cells;
}

function cellOf(place: number, count: number, cells: number): number {
  return count <= cells ? place : Math.floor((place * cells) / count);
}
