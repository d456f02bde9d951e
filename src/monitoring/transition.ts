/** A change of an alarm's state, as its actions and its history are told of it. */

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

/** What somebody wants to try out. */
export function testOf(alarm: StoredAlarm, state: AlarmState, at: number): Transition {
  const transition = transitionOf(alarm, { state, reason: 'somebody tries its actions out' }, at);
  return { ...transition, isTest: true };
}

/** As those outside of the room know it. */
export function withoutIds(stored: StoredAlarm): Alarm {
  const { alarmId: _, seriesId: __, ...alarm } = stored;
  return alarm;
}
