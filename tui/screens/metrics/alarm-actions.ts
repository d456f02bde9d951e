/** Actions on one alarm, in the alarm list and on the alarm's own screen. */

import { countText } from '../../../src/text/amounts.ts';
import type { AlarmShape } from '../../../src/control/methods/monitoring.ts';
import type { Ui } from '../../ui/ui.ts';
import { about } from '../../commands/about.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { openAlarmForm } from './alarm-form.ts';
import { actionText, conditionText } from './alarm-text.ts';

const NONE = 'no alarm is selected; Tab goes to the alarms';

interface Held {
  readonly current: () => AlarmShape | undefined;
  readonly changed: () => void;
  /** Called after the alarm was deleted. */
  readonly gone: () => void;
}

export function alarmActions(ui: Ui, { current, changed, gone }: Held): ActionsFor<'alarm'> {
  const whyNone = () => (current() ? undefined : NONE);
  const having = (run: (alarm: AlarmShape) => void | Promise<void>) => () => {
    const alarm = current();
    return alarm ? run(alarm) : undefined;
  };
  return {
    'alarms.acknowledge': {
      why: () => whyNotAcknowledged(current()),
      run: having(async ({ name }) => {
        await ui.call('alarms.acknowledge', { name });
        ui.notify(`alarm ${name} is acknowledged, until its state changes`);
        changed();
      }),
    },
    'alarms.edit': {
      why: whyNone,
      run: having((alarm) => openAlarmForm(ui, { bucket: alarm.bucket, alarm }, changed)),
    },
    'alarms.test': about(current, () => NONE, {
      ask: (alarm) => askTest(ui, alarm),
      run: (alarm) => test(ui, alarm),
    }),
    'alarms.delete': about(current, () => NONE, {
      ask: (alarm) => askDelete(ui, alarm),
      run: (alarm) => remove(ui, alarm, { changed, gone }),
    }),
  };
}

function whyNotAcknowledged(alarm: AlarmShape | undefined): string | undefined {
  if (!alarm) return NONE;
  if (alarm.state !== 'ALARM') return `it is ${alarm.state}`;
  return alarm.acknowledgedAt === undefined ? undefined : 'it is acknowledged already';
}

function askTest(ui: Ui, alarm: AlarmShape) {
  const actions = alarm.actions.ALARM.map(actionText);
  return {
    title: `Run the actions of ${ui.look.name(alarm.name)}?`,
    facts:
      actions.length === 0
        ? ['The alarm has no action on ALARM.']
        : actions.map((each) => ui.look.name(each)),
  };
}

async function test(ui: Ui, { name }: AlarmShape): Promise<void> {
  const { actions } = await ui.work(`testing alarm ${name}`, ({ abort }) =>
    ui.call('alarms.test', { name, state: 'ALARM' }, { signal: abort.signal }),
  );
  const failed = actions.filter(({ ok }) => !ok);
  for (const { action, said } of failed) ui.notifyError(new Error(`${action}: ${said}`));
  if (failed.length === 0) ui.notify(`ran ${countText(actions.length, 'action')} of ${name}`);
}

function askDelete(ui: Ui, alarm: AlarmShape) {
  return {
    title: `Delete alarm ${ui.look.name(alarm.name)}?`,
    facts: [
      `${conditionText(alarm)} of ${ui.look.name(alarm.bucket)}`,
      'Its history is deleted, too.',
    ],
  };
}

async function remove(
  ui: Ui,
  alarm: AlarmShape,
  { changed, gone }: Omit<Held, 'current'>,
): Promise<void> {
  const {
    state: _,
    frozenState: __,
    reason: ___,
    changedAt: ____,
    acknowledgedAt: _____,
    ...definition
  } = alarm;
  await ui.call('alarms.remove', { name: alarm.name });
  gone();
  ui.notifyUndoable(`alarm ${alarm.name} is deleted`, async () => {
    await ui.call('alarms.put', { alarm: definition, replace: false });
    changed();
  });
}
