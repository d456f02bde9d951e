/** How the first screen divides the terminal. Pure. */

/** Five lines and their frame. */
const TOP = 7;
const LEAST_BOTTOM = 5;
/** Frame, titles and two jobs. */
const LEAST_JOBS = 5;
/** Below that many rows, what is at the bottom is left out, then what is at the top. */
const LEAST_ROWS = TOP + LEAST_JOBS + LEAST_BOTTOM - 1;
/** From there on there is room for locks, and from the other on for what moves. */
const WIDE = 120;
const WIDEST = 140;

export interface Heights {
  readonly top: number;
  readonly jobs: number;
  readonly bottom: number;
}

/** The jobs take what they need; what is left shows more of what happened. */
export function heightsOf(rows: number, jobs: number): Heights {
  if (rows < TOP + LEAST_JOBS) return { top: 0, jobs: rows, bottom: 0 };
  if (rows < LEAST_ROWS) return { top: TOP, jobs: rows - TOP, bottom: 0 };
  const left = rows - TOP;
  const needed = Math.max(LEAST_JOBS, jobs + 3);
  const height = Math.min(needed, left - LEAST_BOTTOM);
  return { top: TOP, jobs: height, bottom: left - height };
}

export interface Widths {
  readonly throughput: number;
  /** 0: not shown. */
  readonly locks: number;
  readonly health: number;
  readonly attention: number;
  /** 0: not shown. */
  readonly moving: number;
  readonly activity: number;
}

export function widthsOf(columns: number): Widths {
  const health = columns < WIDE ? Math.max(26, Math.floor(columns * 0.37)) : 38;
  const locks = columns < WIDE ? 0 : 36;
  const throughput = columns - health - locks;
  const attention = Math.floor(columns * (columns < WIDEST ? 0.48 : 0.32));
  const moving = columns < WIDEST ? 0 : Math.floor(columns * 0.33);
  return { throughput, locks, health, attention, moving, activity: columns - attention - moving };
}
