/** How the first screen divides the terminal. Pure. */

/** Five lines and the border above them. */
const TOP = 6;
const LEAST_BOTTOM = 5;
/** The border above, titles and two jobs. */
const LEAST_JOBS = 4;
/** Below that many rows, what is at the bottom is left out, then what is at the top. */
const LEAST_ROWS = TOP + LEAST_JOBS + LEAST_BOTTOM - 1;
/** Fewer rows at the bottom are for lists that are beside one another. */
const ROOM_FOR_MIDDLE = 12;
/** The charts get more rows only if these are enough for two rows each. */
const LEAST_MORE = 4;
const USUAL_MORE = 8;
const MOST_MORE = 14;
/** Terminals of that width have room for locks, and of the other one for what moves. */
const WIDE = 120;
const WIDEST = 140;
const SIDE = 34;

/** Rows of the lists; of those that are not shown, 0. */
export interface Content {
  readonly jobs: number;
  readonly attention: number;
  readonly moving: number;
}

export interface Heights {
  readonly top: number;
  readonly jobs: number;
  /** What needs attention and what moves; 0: they are beside the activity. */
  readonly middle: number;
  readonly bottom: number;
}

/** Lists take what they need. Of what is left, charts get some, and the activity the rest. */
export function heightsOf(rows: number, { jobs, attention, moving }: Content): Heights {
  // The last row of panes has the lower border, too.
  if (rows < TOP + LEAST_JOBS + 1) return { top: 0, jobs: rows, middle: 0, bottom: 0 };
  if (rows < LEAST_ROWS) return { top: TOP, jobs: rows - TOP, middle: 0, bottom: 0 };
  const left = rows - TOP;
  const height = Math.min(Math.max(LEAST_JOBS, jobs + 2), left - LEAST_BOTTOM);
  const room = left - height;
  if (room < ROOM_FOR_MIDDLE) return { top: TOP, jobs: height, middle: 0, bottom: room };
  const middle = Math.min(Math.max(1, attention, moving) + 1, Math.floor(room / 2));
  const more = moreRows(room - middle - LEAST_BOTTOM);
  return { top: TOP + more, jobs: height, middle, bottom: room - middle - more };
}

/** An even number, since there are two charts. */
function moreRows(spare: number): number {
  const most = Math.min(MOST_MORE, Math.max(USUAL_MORE, spare / 3));
  const more = 2 * Math.floor(Math.min((spare * 2) / 3, most) / 2);
  return more < LEAST_MORE ? 0 : more;
}

export interface Widths {
  readonly throughput: number;
  /** 0: not shown. */
  readonly locks: number;
  readonly health: number;
  /** Health is above the locks, not beside them. */
  readonly isStacked: boolean;
  readonly attention: number;
  /** 0: not shown. */
  readonly moving: number;
  readonly activity: number;
}

export function widthsOf(
  columns: number,
  { top, middle }: Pick<Heights, 'top' | 'middle'>,
): Widths {
  const isStacked = columns >= WIDE && top >= 2 * TOP;
  const health = columns < WIDE ? Math.max(26, Math.floor(columns * 0.37)) : SIDE;
  const locks = columns < WIDE ? 0 : SIDE;
  const throughput = columns - health - (isStacked ? 0 : locks);
  const side = { throughput, locks, health, isStacked };
  if (middle > 0) {
    const moving = columns < WIDEST ? 0 : Math.floor(columns * 0.55);
    return { ...side, attention: columns - moving, moving, activity: columns };
  }
  const attention = Math.floor(columns * (columns < WIDEST ? 0.48 : 0.32));
  const moving = columns < WIDEST ? 0 : Math.floor(columns * 0.33);
  return { ...side, attention, moving, activity: columns - attention - moving };
}
