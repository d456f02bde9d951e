/** Divides the rows and columns of the terminal for the first screen. Pure functions. */

/** Five lines of throughput and health, and the border above them. */
const TOP = 6;
/** Borders above and below, and two rows. */
const LEAST_ACTIVITY = 4;
/** The same with one row, in a terminal without room for charts. */
const LEAST_BELOW = 3;
/** The border above, titles and two jobs. */
const LEAST_JOBS = 4;
const MOST_LISTED = 6;
/** The charts get more rows only if these are enough for two rows each. */
const LEAST_MORE = 4;
const USUAL_MORE = 8;
const MOST_MORE = 14;
/** From the first width, there is room for locks; from the second one, also for transfers. */
const WIDE = 120;
const WIDEST = 140;
const SIDE = 34;

/** Numbers of rows in the lists. */
export interface Content {
  readonly jobs: number;
  readonly attention: number;
}

/**
 * Heights of the panes from top to bottom, including the border above. The last pane also includes the border
 * below.
 */
export interface Heights {
  /** 0 if not shown. */
  readonly attention: number;
  readonly jobs: number;
  /** Throughput and health; 0 if not shown. */
  readonly charts: number;
  /** 0 if not shown. */
  readonly activity: number;
}

/**
 * The attention pane has the highest priority, and the jobs are always shown. The charts get some of the
 * remaining lines, and the activity gets the rest.
 */
export function heightsOf(rows: number, content: Content): Heights {
  const most = Math.max(2, Math.floor(rows / 4));
  const attention = content.attention === 0 ? 0 : Math.min(content.attention, most) + 1;
  const left = rows - attention;
  const wanted = Math.max(LEAST_JOBS, content.jobs + 2);
  if (left < TOP + LEAST_JOBS + LEAST_ACTIVITY) {
    const withCharts = left - TOP - 1;
    if (withCharts < Math.min(wanted, MOST_LISTED)) {
      const activity = left - wanted >= LEAST_BELOW ? left - wanted : 0;
      return { attention, jobs: left - activity, charts: 0, activity };
    }
    return { attention, jobs: withCharts, charts: TOP + 1, activity: 0 };
  }
  const jobs = Math.min(wanted, left - TOP - LEAST_ACTIVITY);
  const charts = TOP + moreRows(left - jobs - TOP - LEAST_ACTIVITY);
  return { attention, jobs, charts, activity: left - jobs - charts };
}

/** Returns an even number, because there are two charts. */
function moreRows(spare: number): number {
  const most = Math.min(MOST_MORE, Math.max(USUAL_MORE, spare / 3));
  const more = 2 * Math.floor(Math.min((spare * 2) / 3, most) / 2);
  return more < LEAST_MORE ? 0 : more;
}

export interface Widths {
  readonly throughput: number;
  /** 0 if not shown. */
  readonly locks: number;
  readonly health: number;
  /** True if health is above the locks, false if it is beside them. */
  readonly isStacked: boolean;
  /** 0 if not shown. */
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
