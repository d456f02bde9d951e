/**
 * Creates transitions. A transition is a state change of an alarm, as passed to the alarm's actions and recorded in its
 * history.
 */

import { randomUUID } from 'node:crypto';

import type { StoredAlarm } from './alarm-table.ts';
import type { Alarm, AlarmState, Transition } from './alarm.ts';
import type { Verdict } from './evaluate.ts';

export function transitionOf(
  alarm: StoredAlarm,
  { state, reason }: Verdict,
  at: number,
): Transition {
  const {
    state: from,
    reason: _,
    changedAt: __,
    monitored: ___,
    acknowledgedAt: ____,
    ...definition
  } = withoutIds(alarm);
  return { id: randomUUID(), alarm: definition, from, to: state, reason, at, isTest: false };
}

/** Returns a transition for a test of the actions of a state. */
export function testOf(alarm: StoredAlarm, state: AlarmState, at: number): Transition {
  const transition = transitionOf(alarm, { state, reason: 'a user tests the actions' }, at);
  return { ...transition, isTest: true };
}

/** Returns the alarm without the IDs that only this module uses. */
export function withoutIds(stored: StoredAlarm): Alarm {
  const { alarmId: _, seriesId: __, ...alarm } = stored;
  return alarm;
}
