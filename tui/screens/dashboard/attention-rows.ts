/** The rows of what needs attention: alerts of jobs, alarms of buckets, and reports of the store and the daemon. */

import { attentionOf, isAcknowledged } from '../../data/attention.ts';
import type { Ui } from '../../ui/ui.ts';
import { TextBox } from '../../widgets/text-box.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { JobScreen } from '../jobs/job-screen.ts';
import { AlarmScreen } from '../metrics/alarm-screen.ts';
import { conditionText } from '../metrics/alarm-text.ts';

export interface AttentionRow {
  readonly id: string;
  /** Not yet safe to draw. */
  readonly text: string;
  /** An acknowledged alarm: it is listed, and not counted. */
  readonly isKnown: boolean;
  readonly open: (ui: Ui) => void;
}

/** Those that are not acknowledged first. Undefined until all of them were asked for. */
export function attentionRows(ui: Ui): readonly AttentionRow[] | undefined {
  const found = attentionOf(ui);
  if (!found) return undefined;
  const { current } = ui.status;
  const rows = [
    ...found.alerts.map(({ job, kind, reason }): AttentionRow => {
      const open = () => ui.router.open(new JobScreen(ui, job));
      return { id: `alert ${job} ${kind}`, text: `${job}: ${reason}`, isKnown: false, open };
    }),
    ...found.alarms.map((alarm): AttentionRow => {
      const text = `${alarm.bucket}: ${conditionText(alarm)}`;
      const open = () => ui.router.open(new AlarmScreen(ui, alarm));
      return { id: `alarm ${alarm.name}`, text, isKnown: isAcknowledged(alarm), open };
    }),
    ...(found.problem === undefined ? [] : [reported('alerts', found.problem)]),
    ...(current?.store.reasons ?? []).map((reason) => reported('store', reason)),
    ...(current?.warnings ?? []).map((warning) => reported('daemon', warning)),
  ];
  return [...rows.filter(({ isKnown }) => !isKnown), ...rows.filter(({ isKnown }) => isKnown)];
}

function reported(by: string, reason: string): AttentionRow {
  const text = `${by}: ${reason}`;
  const open = (ui: Ui) => ui.openOverlay(new TextBox(ui, by, [ui.look.name(reason)]));
  return { id: text, text, isKnown: false, open };
}

export const ATTENTION_COLUMNS: readonly Column<AttentionRow>[] = [
  {
    title: 'ATTENTION',
    width: 'grow',
    tone: ({ isKnown }) => (isKnown ? 'dim' : 'bad'),
    cell: ({ text, isKnown }, look) => `${isKnown ? '  ' : '! '}${look.name(text)}`,
  },
];
