/** Formats the results of `holdfast monitor alerts`. */

import { EXIT } from '../../output/command-error.ts';
import { tableLines } from '../../output/output.ts';
import { visible } from '../../output/text.ts';
import { timeText } from '../../../text/time.ts';
import type { Answers } from '../../simple-call.ts';

export const ALERT_ANSWERS: Answers = {
  'alerts.list': {
    lines: ({ alerts }) => {
      const columns = ['SINCE', 'JOB', 'KIND', 'REASON'].map((title) => ({ title }));
      const rows = alerts.map(({ job, kind, reason, since }) => [
        timeText(since),
        visible(job),
        kind,
        visible(reason),
      ]);
      return tableLines(columns, rows);
    },
    exitCode: ({ alerts }) => (alerts.length === 0 ? EXIT.ok : EXIT.attention),
  },
  'alerts.test': {
    lines: ({ actions }, { context: { out } }) =>
      actions.map(({ action, ok, said }) => {
        const mark = ok ? out.paint('good', 'done') : out.paint('bad', 'failed');
        return `${mark}  ${action}: ${visible(said)}`;
      }),
    exitCode: ({ actions }) => (actions.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed),
  },
};
