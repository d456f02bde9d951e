/**
 * The door of monitoring: buckets of a store are looked at on a grid in time, what was seen is kept as series, and
 * alarms judge it (specification, "Monitoring and alarms"; semantics B.18).
 */

import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { actionText } from './actions/perform.ts';
import { readSecretHeader } from './actions/secret-header.ts';
import type { StoredAlarm } from './alarm-table.ts';
import type { Alarm, AlarmAction, AlarmDefinition, AlarmState, HistoryEntry } from './alarm.ts';
import { Buckets, type NumbersOf } from './buckets.ts';
import { checkAlarm, checkReason } from './check-alarm.ts';
import { Dispatcher, type Perform } from './dispatcher.ts';
import type { Verdict } from './evaluate.ts';
import { MonitoringError } from './monitoring-error.ts';
import { readSeries, type SeriesPoint, type SeriesQuestion } from './read-series.ts';
import { Rounds } from './rounds.ts';
import { Tables } from './tables.ts';
import { testOf, transitionOf, withoutIds } from './transition.ts';

/** Each is judged at the end of each of its periods, on the main thread. */
const MAX_ALARMS = 100;

export interface MonitoringOptions {
  /** In a folder that exists. */
  readonly path: string;
  readonly numbersOf: NumbersOf;
  readonly perform: Perform;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface AlarmEvents {
  /** It was made or changed, or it is asleep or awake now. */
  changed(alarm: Alarm): void;
  removed(name: string): void;
}

export interface TestedAction {
  readonly action: string;
  readonly ok: boolean;
  readonly said: string;
}

/** Opens the file, or makes it. Nothing happens by itself before `start`. */
export function openMonitoring(options: MonitoringOptions): Monitoring {
  return new Monitoring(options, new Tables(options.path));
}

/** Its methods throw MonitoringError. */
export class Monitoring {
  readonly #options: MonitoringOptions;
  readonly #tables: Tables;
  readonly #buckets: Buckets;
  readonly #rounds: Rounds;
  readonly #dispatcher: Dispatcher;
  #events: AlarmEvents | undefined;

  constructor(options: MonitoringOptions, tables: Tables) {
    const { clock, logger, perform, numbersOf } = options;
    this.#options = options;
    this.#tables = tables;
    this.#buckets = new Buckets(tables, numbersOf, (name) => this.#events?.removed(name));
    this.#dispatcher = new Dispatcher({ tables, perform, clock, logger });
    this.#rounds = new Rounds({
      tables,
      clock,
      logger,
      monitored: () => this.#buckets.known().filter(({ monitored }) => monitored),
      sample: ({ name }) => numbersOf(name),
      change: (alarm, verdict) => this.#change(alarm, verdict),
    });
  }

  /** Samples are taken, alarms judged and actions done from now on. */
  start(events?: AlarmEvents): void {
    this.#events = events;
    this.#rounds.plan();
    this.#dispatcher.wake();
  }

  async close(): Promise<void> {
    this.#rounds.stop();
    await this.#dispatcher.stop();
    this.#tables.close();
  }

  /** What a person should know of it. */
  warnings(): string[] {
    const { damaged } = this.#tables;
    if (damaged === undefined) return [];
    return [`monitoring began anew, without alarms: its file was damaged, and is ${damaged} now`];
  }

  /** Names of the buckets that are. */
  monitored(): ReadonlySet<string> {
    const known = this.#buckets.known().filter(({ monitored }) => monitored);
    return new Set(known.map(({ name }) => name));
  }

  /** Off: no samples, and its alarms are asleep. The series is kept, with a gap. */
  setMonitored(bucket: string, monitored: boolean): void {
    const seriesId = this.#buckets.ensure(bucket);
    this.#tables.durably(() => this.#tables.buckets.setMonitored(seriesId, monitored));
    this.#rounds.plan();
    for (const alarm of this.alarms()) if (alarm.bucket === bucket) this.#tell(alarm);
  }

  series(question: SeriesQuestion): readonly SeriesPoint[] {
    return readSeries(this.#tables.series, this.#buckets.find(question.bucket), question);
  }

  /** By name. */
  alarms(): readonly Alarm[] {
    this.#buckets.known();
    return this.#tables.alarms.all().map(withoutIds);
  }

  alarm(name: string): Alarm {
    return withoutIds(this.#find(name));
  }

  /** A new one begins with INSUFFICIENT_DATA; one that is replaced keeps its state. */
  putAlarm(alarm: AlarmDefinition, { replace }: { readonly replace: boolean }): Alarm {
    checkAlarm(alarm);
    checkSecretFiles(alarm);
    const seriesId = this.#buckets.ensure(alarm.bucket);
    const before = this.#tables.alarms.find(alarm.name);
    this.#checkRoom(alarm.name, before !== undefined, replace);
    const alarmId = this.#write(alarm, seriesId, before);
    this.#rounds.forget(alarmId);
    this.#rounds.plan();
    return this.#tell(this.alarm(alarm.name));
  }

  /** With its history, and with its actions that still wait to be done. */
  removeAlarm(name: string): void {
    const { alarmId } = this.#find(name);
    this.#tables.durably(() => this.#tables.alarms.remove(alarmId));
    this.#rounds.plan();
    this.#events?.removed(name);
  }

  /** As if it had been judged so: with its actions. The next evaluation puts it right again. */
  setState(name: string, verdict: Verdict): Alarm {
    checkReason(verdict.reason);
    const alarm = this.#find(name);
    if (!alarm.monitored) {
      throw new MonitoringError(
        'Conflict',
        `set state of alarm ${name}: monitoring of ${alarm.bucket} is off`,
        `holdfast metrics on ${alarm.bucket}`,
      );
    }
    if (alarm.state !== verdict.state) this.#change(alarm, verdict);
    return this.alarm(name);
  }

  /** Somebody knows of it: noted, until its state changes. Once is enough. */
  acknowledge(name: string): Alarm {
    const alarm = this.#find(name);
    if (alarm.state !== 'ALARM') {
      const reason = `it is ${alarm.state}: there is nothing to know of`;
      throw new MonitoringError('Conflict', `acknowledge alarm ${name}: ${reason}`);
    }
    if (alarm.acknowledgedAt !== undefined) return withoutIds(alarm);
    const at = this.#options.clock.now();
    this.#tables.durably(() => this.#tables.alarms.acknowledge(alarm.alarmId, at));
    return this.#tell(this.alarm(name));
  }

  /** Does the actions of that state once, now; the state stays what it is. */
  testActions(name: string, state: AlarmState, signal: AbortSignal): Promise<TestedAction[]> {
    const alarm = this.#find(name);
    const transition = testOf(alarm, state, this.#options.clock.now());
    return Promise.all(
      alarm.actions[state].map(async (action) => {
        const { ok, said } = await this.#options.perform(action, transition, signal);
        const outcome = `${ok ? 'done' : 'failed'}: ${said}`;
        this.#noteTest(alarm, `test of ${state}, ${actionText(action)}: ${outcome}`);
        return { action: actionText(action), ok, said };
      }),
    );
  }

  /** The newest first; those before the entry with the id `before`. */
  history(
    name: string,
    { limit, before }: { readonly limit: number; readonly before?: number },
  ): readonly HistoryEntry[] {
    return this.#tables.alarms.history(this.#find(name).alarmId, limit, before);
  }

  #write(alarm: AlarmDefinition, seriesId: number, before: StoredAlarm | undefined): number {
    const { alarms } = this.#tables;
    const at = this.#options.clock.now();
    const first = { state: 'INSUFFICIENT_DATA', reason: 'not judged yet', changedAt: at } as const;
    return this.#tables.durably(() => {
      if (before) alarms.define(before.alarmId, seriesId, alarm);
      const alarmId = before?.alarmId ?? alarms.insert(seriesId, alarm, first);
      alarms.note(alarmId, { at, kind: 'configuration', summary: before ? 'replaced' : 'added' });
      return alarmId;
    });
  }

  #checkRoom(name: string, isThere: boolean, replace: boolean): void {
    const refused = (reason: string, hint?: string) =>
      new MonitoringError('Conflict', `add alarm ${name}: ${reason}`, hint);
    if (isThere && !replace) throw refused('there is one of that name', 'replace it: --replace');
    if (isThere || this.#tables.alarms.all().length < MAX_ALARMS) return;
    throw refused(`there are ${MAX_ALARMS} alarms, which is the limit`);
  }

  #change(alarm: StoredAlarm, verdict: Verdict): void {
    const transition = transitionOf(alarm, verdict, this.#options.clock.now());
    this.#tables.durably(() => this.#tables.alarms.change(alarm.alarmId, transition));
    const { acknowledgedAt: _, ...before } = alarm;
    this.#tell(withoutIds({ ...before, ...verdict, changedAt: transition.at }));
    this.#dispatcher.wake();
  }

  /** It may have been removed while its actions were tried out. */
  #noteTest({ name, alarmId }: StoredAlarm, summary: string): void {
    const { alarms } = this.#tables;
    const at = this.#options.clock.now();
    this.#tables.durably(() => {
      if (alarms.find(name)?.alarmId !== alarmId) return;
      alarms.note(alarmId, { at, kind: 'action', summary });
    });
  }

  #tell(alarm: Alarm): Alarm {
    this.#events?.changed(alarm);
    return alarm;
  }

  #find(name: string): StoredAlarm {
    this.#buckets.known();
    const alarm = this.#tables.alarms.find(name);
    if (alarm) return alarm;
    const hint = 'to list the alarms: holdfast alarms list';
    throw new MonitoringError('NotFound', `unknown alarm "${name}"`, hint);
  }
}

/** Read now, so that what is wrong is known before it is needed. */
function checkSecretFiles({ actions }: AlarmDefinition): void {
  for (const action of Object.values<readonly AlarmAction[]>(actions).flat()) {
    if (action.type === 'webhook' && action.secretFile !== undefined) {
      readSecretHeader(action.secretFile);
    }
  }
}
