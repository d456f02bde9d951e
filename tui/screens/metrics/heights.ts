/** Divides the height of the metrics screen among its lists and charts. All functions are pure. */

interface Content {
  readonly buckets: number;
  readonly alarms: number;
  readonly focused: 'buckets' | 'alarms';
  /** Whether charts are shown. If false, one line gives the reason. */
  readonly hasCharts: boolean;
}

interface Heights {
  /** The height of the bucket list. It is 0 if the list is not shown. */
  readonly buckets: number;
  readonly charts: number;
  readonly alarms: number;
}

/** The height of the upper border and the column headings. */
const AROUND = 2;
const FRAME = 1;
/** The minimum height of the charts: one chart with its heading and two rows, and the line of times. */
const LEAST_CHARTS = 5;
/** On a screen with fewer lines, only the focused list is shown. */
const ROOM_FOR_BOTH = 13;

/**
 * Returns the heights. Lists get the height that they need, and charts get the rest. `room` excludes the lowest border.
 */
export function heightsOf(room: number, content: Content): Heights {
  const { focused, hasCharts } = content;
  const needOf = (count: number) => Math.max(1, count) + AROUND;
  if (room < ROOM_FOR_BOTH) {
    const most = room - (hasCharts ? LEAST_CHARTS : FRAME + 1);
    const list = Math.max(AROUND + 1, hasCharts ? Math.min(needOf(content[focused]), most) : most);
    return { buckets: 0, alarms: 0, charts: room - list, [focused]: list };
  }
  const alarms = Math.min(needOf(content.alarms), Math.floor(room / 3));
  const least = hasCharts ? LEAST_CHARTS : FRAME + 1;
  const buckets = Math.min(needOf(content.buckets), Math.floor(room / 2), room - alarms - least);
  const charts = hasCharts ? room - alarms - buckets : least;
  return { buckets: room - alarms - charts, charts, alarms };
}
