/** How the first screen divides the terminal. Pure. */

/** Five lines of throughput and health, and the border above them. */
const TOP = 6;
/** The border above, two rows and the border below. */
const LEAST_ACTIVITY = 4;
/** The border above, titles and two jobs. */
const LEAST_JOBS = 4;
const MOST_LISTED = 6;
/** The charts get more rows only if these are enough for two rows each. */
const LEAST_MORE = 4;
const USUAL_MORE = 8;
const MOST_MORE = 14;
/** Terminals of that width have room for locks, and of the other one for what moves. */
const WIDE = 120;
const WIDEST = 140;
const SIDE = 34;

/** Rows of the lists. */
export interface Content {
  readonly jobs: number;
  readonly attention: number;
}

/** Lines of the panes from the top to the bottom, with the border above. The last one also has the border below. */
export interface Heights {
  /** 0: not shown. */
  readonly attention: number;
  readonly jobs: number;
  /** Throughput and health; 0: not shown. */
  readonly charts: number;
  /** 0: not shown. */
  readonly activity: number;
}

/**
 * What needs attention comes first, and the jobs are always shown. Of the other lines, the charts get some, and the
 * activity the rest.
 */
export function heightsOf(rows: number, content: Content): Heights {
  const most = Math.max(2, Math.floor(rows / 4));
  const attention = content.attention === 0 ? 0 : Math.min(content.attention, most) + 1;
  const left = rows - attention;
  const wanted = Math.max(LEAST_JOBS, content.jobs + 2);
  if (left < TOP + LEAST_JOBS + LEAST_ACTIVITY) {
    const withCharts = left - TOP - 1;
    if (withCharts < Math.min(wanted, MOST_LISTED)) {
      return { attention, jobs: left, charts: 0, activity: 0 };
    }
    return { attention, jobs: withCharts, charts: TOP + 1, activity: 0 };
  }
  const jobs = Math.min(wanted, left - TOP - LEAST_ACTIVITY);
  const charts = TOP + moreRows(left - jobs - TOP - LEAST_ACTIVITY);
  return { attention, jobs, charts, activity: left - jobs - charts };
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
  /** 0: not shown. */
  readonly moving: number;
  readonly activity: number;
}

export function widthsOf(columns: number, { charts }: Pick<Heights, 'charts'>): Widths {
  const isStacked = columns >= WIDE && charts >= 2 * TOP;
  const health = columns < WIDE ? Math.max(26, Math.floor(columns * 0.37)) : SIDE;
  const locks = columns < WIDE ? 0 : SIDE;
  const throughput = columns - health - (isStacked ? 0 : locks);
  const moving = columns < WIDEST ? 0 : Math.floor(columns * 0.5);
  return { throughput, locks, health, isStacked, moving, activity: columns - moving };
}
