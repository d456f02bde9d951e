/** What somebody should look at: alarms of buckets, alerts of jobs, and what the store or the daemon says of itself. */

import type { Ui } from '../../app/ui.ts';
import { TextBox } from '../../components/text-box.ts';
import type { Column } from '../../components/table.ts';
import { JobScreen } from '../jobs/job-screen.ts';
import { AlarmScreen } from '../metrics/alarm-screen.ts';
import { conditionText } from '../metrics/alarm-text.ts';

export interface AlarmRow {
  readonly id: string;
  /** Not yet safe to draw. */
  readonly text: string;
  readonly isKnown: boolean;
  readonly open: (ui: Ui) => void;
}

/** What is not known of yet first. */
export function alarmRows(ui: Ui): readonly AlarmRow[] {
  const { alerts, status } = ui;
  const { current } = status;
  const rows = [
    ...alerts.current.map(({ job, kind, reason }): AlarmRow => {
      const open = () => ui.router.open(new JobScreen(ui, job));
      return { id: `alert ${job} ${kind}`, text: `${job}: ${reason}`, isKnown: false, open };
    }),
    ...(current?.alarms ?? []).map((alarm): AlarmRow => {
      const text = `${alarm.bucket}: ${conditionText(alarm)}`;
      const open = () => ui.router.open(new AlarmScreen(ui, alarm));
      const isKnown = alarm.acknowledgedAt !== undefined;
      return { id: `alarm ${alarm.name}`, text, isKnown, open };
    }),
    ...(current?.store.reasons ?? []).map((reason) => said('store', reason)),
    ...(current?.warnings ?? []).map((warning) => said('daemon', warning)),
  ];
  return [...rows.filter(({ isKnown }) => !isKnown), ...rows.filter(({ isKnown }) => isKnown)];
}

function said(whose: string, reason: string): AlarmRow {
  const text = `${whose}: ${reason}`;
  const open = (ui: Ui) => ui.openOverlay(new TextBox(ui, whose, [ui.look.name(reason)]));
  return { id: text, text, isKnown: false, open };
}

export const ALARM_COLUMNS: readonly Column<AlarmRow>[] = [
  {
    title: 'ALARM',
    width: 'grow',
    tone: ({ isKnown }) => (isKnown ? 'dim' : 'bad'),
    cell: ({ text, isKnown }, look) => `${isKnown ? '  ' : '! '}${look.name(text)}`,
  },
];
