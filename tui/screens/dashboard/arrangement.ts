/** Divides the terminal's rows and columns among the panes on the first screen. All functions are pure. */

/** The height of the charts: five lines of throughput and health, and the border above them. */
const TOP = 6;
/** The minimum height of the activity pane: two borders and two rows. */
const LEAST_ACTIVITY = 4;
/** The minimum height of the activity pane if the terminal has no space for charts: two borders and one row. */
const LEAST_BELOW = 3;
/** The minimum height of the job list: the upper border, the headings and two jobs. */
const LEAST_JOBS = 4;
const MOST_LISTED = 6;
/** The charts grow only if they gain at least this number of rows, which is two rows for each of the two charts. */
const LEAST_MORE = 4;
const USUAL_MORE = 8;
const MOST_MORE = 14;
/** The terminal widths from which the locks (`WIDE`), and also the transfers (`WIDEST`), are shown. */
const WIDE = 120;
const WIDEST = 140;
const SIDE = 34;

/** The number of rows in each list. */
export interface Content {
  readonly jobs: number;
  readonly attention: number;
  /** Whether the charts have no value above zero. Each of them is then one line. */
  readonly isIdle?: boolean;
}

/**
 * The heights of the panes from top to bottom, including the border above each pane. The last pane also includes the
 * border below it.
 */
export interface Heights {
  /** The height of the attention pane. It is 0 if the pane is not shown. */
  readonly attention: number;
  readonly jobs: number;
  /** The height of throughput and health. It is 0 if they are not shown. */
  readonly charts: number;
  /** The height of the activity pane. It is 0 if the pane is not shown. */
  readonly activity: number;
}

/**
 * Divides the rows among the panes. The attention pane has the highest priority, and the jobs are always shown. The
 * charts get some of the remaining rows, and the activity gets all others.
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
      // If the job list does not need all its rows, the attention pane gets them to show more problems.
      const spare = activity > 0 ? 0 : Math.max(0, left - wanted - 1);
      const more = Math.min(spare, Math.max(0, content.attention + 1 - attention));
      return { attention: attention + more, jobs: left - activity - more, charts: 0, activity };
    }
    return { attention, jobs: withCharts, charts: TOP + 1, activity: 0 };
  }
  const jobs = Math.min(wanted, left - TOP - LEAST_ACTIVITY);
  const charts = TOP + (content.isIdle ? 0 : moreRows(left - jobs - TOP - LEAST_ACTIVITY));
  return { attention, jobs, charts, activity: left - jobs - charts };
}

/** Returns how many rows the charts gain. The number is even, because there are two charts. */
function moreRows(spare: number): number {
  const most = Math.min(MOST_MORE, Math.max(USUAL_MORE, spare / 3));
  const more = 2 * Math.floor(Math.min((spare * 2) / 3, most) / 2);
  return more < LEAST_MORE ? 0 : more;
}

export interface Widths {
  readonly throughput: number;
  /** The width of the locks pane. It is 0 if the pane is not shown. */
  readonly locks: number;
  readonly health: number;
  /** Whether health is above the locks. If false, it is beside them. */
  readonly isStacked: boolean;
  /** The width of the transfers pane. It is 0 if the pane is not shown. */
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
