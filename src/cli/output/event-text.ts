/** Formats events of the daemon as lines, for a user who follows jobs. */

import type { DaemonEvent } from '../../control/messages.ts';
import type { AlarmShape } from '../../control/methods/monitoring.ts';
import type { JobStatus } from '../../control/shapes.ts';
import { stateWord } from './alarm-text.ts';
import { stateText } from './job-text.ts';
import { runText } from './lifecycle-text.ts';
import type { Paint, Tone } from './output.ts';
import { visible } from './text.ts';
import { clockText } from '../../text/time.ts';

type Activity = Extract<DaemonEvent['event'], { type: 'activity' }>;

interface Reading {
  /** The last printed state of each job and alarm. A line is printed only when the state changes. */
  readonly states: Map<string, string>;
  readonly paint: Paint;
  /** Whether only one job is followed. Its name is then omitted. */
  readonly one: boolean;
}

const LEVEL_TONES: Readonly<Record<Activity['level'], Tone>> = {
  info: 'strong',
  warn: 'attention',
  error: 'bad',
};

/**
 * Returns the lines to print for an event, and updates the states. Returns no lines if the event need not be
 * printed.
 */
export function eventLines({ at, event }: DaemonEvent, reading: Reading): string[] {
  const { paint, one } = reading;
  const line = (job: string, text: string) =>
    `${paint('dim', clockText(at))}  ${one ? '' : `${job}  `}${text}`;
  switch (event.type) {
    case 'activity':
      return [line(event.job, activityText(event, paint))];
    case 'job.changed':
      return stateChange(event.job, reading)
        ? [line(event.job.name, stateText(event.job, paint))]
        : [];
    case 'job.removed':
      return [line(event.name, 'removed')];
    case 'alarm.changed':
      return alarmChange(event.alarm, reading)
        ? [line('alarm', alarmText(event.alarm, paint))]
        : [];
    case 'lifecycle.finished':
      return [line('lifecycle', runText(event.run))];
    default:
      return [];
  }
}

function activityText({ level, action, path, message }: Activity, paint: Paint): string {
  const said = message === action || message === '' ? '' : visible(message);
  const where = path === undefined || message.includes(path) ? '' : visible(path);
  const parts = [paint(LEVEL_TONES[level], visible(action)), where, said];
  return parts.filter((part) => part !== '').join('  ');
}

/** Stores the state of the job. Returns whether it differs from the previous state. */
function stateChange(job: JobStatus, { states }: Reading): boolean {
  const before = states.get(job.name) ?? WORKING;
  return rememberState(job, states) !== before;
}

/**
 * Stores the state of the alarm. Returns whether it changed. For the first event of the alarm, returns whether the
 * state is ALARM.
 */
function alarmChange({ name, state }: AlarmShape, { states }: Reading): boolean {
  const key = `alarm ${name}`;
  const before = states.get(key);
  states.set(key, state);
  return before === undefined ? state === 'ALARM' : before !== state;
}

function alarmText({ name, bucket, state, reason }: AlarmShape, paint: Paint): string {
  return `${visible(name)} (${bucket})  ${stateWord(state, paint)}  ${visible(reason)}`;
}

/**
 * Stores and returns a simplified state of the job that changes only when the user would be interested. All states
 * of normal work are equal, and numbers in the reason are ignored.
 */
export function rememberState(job: JobStatus, states: Map<string, string>): string {
  const working = ['starting', 'scanning', 'mirroring', 'watching'].includes(job.state);
  const state = working ? WORKING : `${job.state} ${(job.reason ?? '').replaceAll(/\d+/g, 'n')}`;
  states.set(job.name, state);
  return state;
}

const WORKING = 'working';
