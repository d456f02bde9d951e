/** Implements `holdfast monitor alerts`, which lists the active alerts about jobs and tests the alert actions. */

import { EXIT, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { tableLines } from '../../output/output.ts';
import { timeText, visible } from '../../output/text.ts';

export async function listAlerts(context: Context): Promise<ExitCode> {
  const { alerts } = await context.withDaemon((daemon) => daemon.call('alerts.list', {}));
  if (context.json) await context.out.json({ alerts });
  else if (alerts.length === 0) await context.remark('no alert: all jobs are as they should be');
  else {
    const columns = ['SINCE', 'JOB', 'KIND', 'REASON'].map((title) => ({ title }));
    const rows = alerts.map(({ job, kind, reason, since }) => [
      timeText(since),
      visible(job),
      kind,
      visible(reason),
    ]);
    await context.out.lines(...tableLines(columns, rows));
  }
  return alerts.length === 0 ? EXIT.ok : EXIT.attention;
}

export async function testAlerts(context: Context, name: string): Promise<ExitCode> {
  const { actions } = await context.withDaemon((daemon) => daemon.call('alerts.test', { name }));
  if (context.json) await context.out.json({ actions });
  else if (actions.length === 0)
    await context.remark('no action: alerts.actions in config.yaml is empty');
  else {
    const lines = actions.map(({ action, ok, said }) => {
      const mark = ok ? context.out.paint('good', 'done') : context.out.paint('bad', 'failed');
      return `${mark}  ${action}: ${visible(said)}`;
    });
    await context.out.lines(...lines);
  }
  return actions.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
}
