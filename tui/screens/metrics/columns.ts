/** The columns for the lists of bucket metrics and alarms. */

import type { AlarmShape, BucketMetricsShape } from '../../../src/control/methods/monitoring.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { bytesText, numberText } from '../../../src/text/amounts.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { Tone } from '../../theme/look.ts';
import { conditionText, STATE_TONES } from './alarm-text.ts';

export const BUCKET_COLUMNS: readonly Column<BucketMetricsShape>[] = [
  { title: 'BUCKET', width: 'grow', cut: 'middle', cell: ({ bucket }, look) => look.name(bucket) },
  {
    title: 'SIZE',
    tone: 'size',
    width: 8,
    align: 'right',
    cell: ({ sizeBytes }) => bytesText(sizeBytes),
  },
  {
    title: 'VERSIONS',
    width: 10,
    align: 'right',
    drop: 2,
    cell: ({ versions }) => numberText(versions),
  },
  {
    title: 'MARKERS',
    width: 8,
    align: 'right',
    drop: 4,
    cell: ({ deleteMarkers }) => numberText(deleteMarkers),
  },
  { title: 'PARTS', width: 6, align: 'right', drop: 5, cell: ({ parts }) => numberText(parts) },
  // The metric NumberOfObjects is the sum of the three columns to its left.
  {
    title: 'TOTAL',
    width: 10,
    align: 'right',
    drop: 3,
    cell: ({ objects }) => numberText(objects),
  },
  {
    title: 'MONITORED',
    width: 9,
    drop: 1,
    cell: ({ monitored }) => (monitored ? 'on' : 'off'),
    tone: ({ monitored }) => (monitored ? 'good' : 'dim'),
  },
];

export const ALARM_COLUMNS: readonly Column<AlarmShape>[] = [
  { title: 'ALARM', width: 'grow', cut: 'middle', cell: ({ name }, look) => look.name(name) },
  { title: 'STATE', width: 'fit', cell: stateText, tone: ({ state }) => STATE_TONES[state] },
  { title: 'BUCKET', width: 'fit', drop: 2, cell: ({ bucket }, look) => look.name(bucket) },
  { title: 'WHEN', width: 'fit', most: 60, drop: 1, cell: conditionText },
  {
    title: 'SINCE',
    tone: 'date',
    width: 16,
    drop: 3,
    cell: ({ changedAt }) => minuteText(changedAt),
  },
];

function stateText({ state, acknowledgedAt }: AlarmShape): string {
  return acknowledgedAt === undefined ? state : `${state} (known)`;
}

/** Highlights an alarm that no user has acknowledged. */
export function alarmTone({ state, acknowledgedAt }: AlarmShape): Tone | undefined {
  return state === 'ALARM' && acknowledgedAt === undefined ? 'bad' : undefined;
}
