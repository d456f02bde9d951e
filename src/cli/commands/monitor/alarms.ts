/** Implements `holdfast monitor alarms`, which manages alarms on the metrics of buckets. */

import { ALARM_STATES } from '../../../control/methods/monitoring.ts';
import type { Result } from '../../../control/messages.ts';
import { type AddAlarmOptions, alarmOf } from './alarm-options.ts';
import { alarmLines, conditionText, stateWord } from '../../output/alarm-text.ts';
import { choice } from '../../arguments/choices.ts';
import { EXIT, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { tableLines } from '../../output/output.ts';
import { timeText, visible } from '../../output/text.ts';

export async function listAlarms(context: Context, options: { bucket?: string }): Promise<void> {
  const { bucket } = options;
  const result = await context.withDaemon(async (daemon) => {
    // Fails for a bucket that does not exist.
    if (bucket !== undefined) await daemon.call('metrics.get', { bucket });
    return daemon.call('alarms.list', {});
  });
  const alarms = result.alarms.filter((alarm) => bucket === undefined || alarm.bucket === bucket);
  if (context.json) return context.out.json({ alarms });
  if (alarms.length === 0) return context.remark('no alarms: `holdfast monitor alarms add --help`');
  const columns = ['STATE', 'SINCE', 'BUCKET', 'CONDITION', 'NAME'].map((title) => ({ title }));
  const rows = alarms.map((alarm) => [
    alarm.state,
    timeText(alarm.changedAt),
    alarm.bucket,
    conditionText(alarm),
    visible(alarm.name),
  ]);
  await context.out.lines(...tableLines(columns, rows));
}

export async function addAlarm(
  context: Context,
  name: string,
  options: AddAlarmOptions,
): Promise<void> {
  const alarm = alarmOf(context, name, options);
  const { replace = false } = options;
  const added = await context.withDaemon((daemon) => daemon.call('alarms.put', { alarm, replace }));
  if (context.json) return context.out.json(added);
  const asleep = `it is asleep until \`holdfast monitor metrics on ${added.bucket}\``;
  await context.out.lines(
    ...alarmLines(added, context.out.paint),
    ...(added.state === 'DISABLED' ? [asleep] : []),
  );
}

export async function getAlarm(context: Context, name: string): Promise<void> {
  const alarm = await context.withDaemon((daemon) => daemon.call('alarms.get', { name }));
  if (context.json) return context.out.json(alarm);
  await context.out.lines(...alarmLines(alarm, context.out.paint));
}

export async function removeAlarm(context: Context, name: string): Promise<void> {
  await context.withDaemon((daemon) => daemon.call('alarms.remove', { name }));
  if (context.json) return context.out.json({});
  await context.out.lines(`removed alarm ${visible(name)}`);
}

/** Runs the actions of a state once. Returns `attention` if an action failed. */
export async function testAlarm(
  context: Context,
  name: string,
  options: { readonly state: string },
): Promise<ExitCode> {
  const state = stateOf(options.state);
  const { actions } = await context.withDaemon((daemon) =>
    daemon.call('alarms.test', { name, state }),
  );
  if (context.json) await context.out.json({ actions });
  else await context.out.lines(...testLines(actions, state, context));
  return actions.every(({ ok }) => ok) ? EXIT.ok : EXIT.attention;
}

function testLines(
  actions: Result<'alarms.test'>['actions'],
  state: string,
  { out }: Context,
): string[] {
  if (actions.length === 0) return [`nothing is done on ${state}`];
  return actions.map(({ action, ok, said }) => {
    const outcome = ok ? out.paint('good', 'done') : out.paint('bad', 'failed');
    return `${visible(action)}: ${outcome}: ${visible(said)}`;
  });
}

export async function setAlarmState(
  context: Context,
  name: string,
  { state, reason }: { readonly state: string; readonly reason: string },
): Promise<void> {
  const alarm = await context.withDaemon((daemon) =>
    daemon.call('alarms.setState', { name, state: stateOf(state), reason }),
  );
  if (context.json) return context.out.json(alarm);
  const word = stateWord(alarm.state, context.out.paint);
  await context.out.lines(
    `${visible(name)} is ${word}, until the end of its period says otherwise`,
  );
}

export async function acknowledgeAlarm(context: Context, name: string): Promise<void> {
  const alarm = await context.withDaemon((daemon) => daemon.call('alarms.acknowledge', { name }));
  if (context.json) return context.out.json(alarm);
  await context.out.lines(`${visible(name)} is acknowledged, until its state changes`);
}

export async function alarmHistory(
  context: Context,
  name: string,
  { limit }: { readonly limit: number },
): Promise<void> {
  const { entries } = await context.withDaemon((daemon) =>
    daemon.call('alarms.history', { name, limit }),
  );
  if (context.json) return context.out.json({ entries });
  const lines = entries.map(
    ({ at, kind, summary }) => `${timeText(at)}  ${kind}  ${visible(summary)}`,
  );
  await context.out.lines(...lines);
}

function stateOf(text: string): (typeof ALARM_STATES)[number] {
  return choice('state', text, ALARM_STATES);
}
