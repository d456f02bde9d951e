/** Implements `holdfast monitor alarms add`, and formats the results of all other alarm commands. */

import { type AddAlarmOptions, alarmOf } from './alarm-options.ts';
import { alarmLines, conditionText, stateWord } from '../../output/alarm-text.ts';
import { EXIT } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { tableLines } from '../../output/output.ts';
import { visible } from '../../output/text.ts';
import { timeText } from '../../../text/time.ts';
import type { Answers } from '../../simple-call.ts';

export const ALARM_ANSWERS: Answers = {
  'alarms.list': ({ alarms }) => {
    const columns = ['STATE', 'SINCE', 'BUCKET', 'CONDITION', 'NAME'].map((title) => ({ title }));
    const rows = alarms.map((alarm) => [
      alarm.state,
      timeText(alarm.changedAt),
      alarm.bucket,
      conditionText(alarm),
      visible(alarm.name),
    ]);
    return tableLines(columns, rows);
  },
  'alarms.get': (alarm, { context }) => alarmLines(alarm, context.out.paint),
  'alarms.test': {
    lines: ({ actions }, { context: { out }, params }) => {
      if (actions.length === 0) return [`the alarm has no actions for state ${params.state}`];
      return actions.map(({ action, ok, said }) => {
        const outcome = ok ? out.paint('good', 'done') : out.paint('bad', 'failed');
        return `${visible(action)}: ${outcome}: ${visible(said)}`;
      });
    },
    exitCode: ({ actions }) => (actions.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed),
  },
  'alarms.setState': ({ name, state }, { context }) => {
    const word = stateWord(state, context.out.paint);
    return [`${visible(name)} is ${word} until its next evaluation`];
  },
  'alarms.acknowledge': ({ name }) => [`${visible(name)} is acknowledged until its state changes`],
  'alarms.history': ({ entries }) =>
    entries.map(({ at, kind, summary }) => `${timeText(at)}  ${kind}  ${visible(summary)}`),
};

export async function addAlarm(
  context: Context,
  name: string,
  options: AddAlarmOptions,
): Promise<void> {
  const alarm = alarmOf(context, name, options);
  const { replace = false } = options;
  const added = await context.withDaemon((daemon) => daemon.call('alarms.put', { alarm, replace }));
  if (context.json) return context.out.json(added);
  const notEvaluated = `it is not evaluated until the bucket is monitored: holdfast monitor metrics on ${added.bucket}`;
  await context.out.prose(
    ...alarmLines(added, context.out.paint),
    ...(added.state === 'DISABLED' ? [notEvaluated] : []),
  );
}
