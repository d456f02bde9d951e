/**
 * Samples the buckets of a store at regular intervals, stores the samples as series, and evaluates
 * alarms on them (specification, "Monitoring and alarms"; semantics B.18).
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
import { RecentSeries } from './recent-series.ts';
import { readSeries, type SeriesPoint, type SeriesQuestion } from './read-series.ts';
import { Rounds } from './rounds.ts';
import { Tables } from './tables.ts';
import { testOf, transitionOf, withoutIds } from './transition.ts';

/**
 * The maximum number of alarms. Each alarm is evaluated on the main thread at the end of each of
 * its periods.
 */
const MAX_ALARMS = 100;

export interface MonitoringOptions {
  /** The path of the database. Its folder must exist. */
  readonly path: string;
  readonly numbersOf: NumbersOf;
  readonly perform: Perform;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface AlarmEvents {
  /** Called when an alarm was added or changed, or when monitoring of its bucket was turned on or off. */
  changed(alarm: Alarm): void;
  removed(name: string): void;
}

export interface TestedAction {
  readonly action: string;
  readonly ok: boolean;
  readonly said: string;
}

/** Opens or creates the database. No samples are taken and no actions run before `start`. */
export function openMonitoring(options: MonitoringOptions): Monitoring {
  return new Monitoring(options, new Tables(options.path));
}

/**
 * Monitors the buckets of a store. Methods that take the name of a bucket or alarm throw
 * MonitoringError, with `NotFound` for an unknown name.
 */
export class Monitoring {
  readonly recent: RecentSeries;
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
    this.recent = new RecentSeries(tables, clock.now());
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

  /** Starts to take samples, to evaluate alarms and to run their actions. */
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

  /** Returns warnings for the daemon's status: one if a damaged monitoring database was replaced. */
  warnings(): string[] {
    const { damaged } = this.#tables;
    if (damaged === undefined) return [];
    return [
      `all series and alarms are lost: the database was damaged, and was moved to ${damaged}`,
    ];
  }

  /** Returns the names of the monitored buckets. */
  monitored(): ReadonlySet<string> {
    const known = this.#buckets.known().filter(({ monitored }) => monitored);
    return new Set(known.map(({ name }) => name));
  }

  /**
   * Turns monitoring of a bucket on or off. While it is off, no samples are taken and alarms are not evaluated. The
   * stored series is kept, and has a gap for this time.
   */
  setMonitored(bucket: string, monitored: boolean): void {
    const seriesId = this.#buckets.ensure(bucket);
    this.#tables.durably(() => this.#tables.buckets.setMonitored(seriesId, monitored));
    this.#rounds.plan();
    for (const alarm of this.alarms()) if (alarm.bucket === bucket) this.#publish(alarm);
  }

  series(question: SeriesQuestion): readonly SeriesPoint[] {
    return readSeries(this.#tables.series, this.#buckets.find(question.bucket), question);
  }

  /** Returns all alarms, sorted by name. */
  alarms(): readonly Alarm[] {
    this.#buckets.known();
    return this.#tables.alarms.all().map(withoutIds);
  }

  alarm(name: string): Alarm {
    return withoutIds(this.#find(name));
  }

  /**
   * Adds or replaces an alarm. A new alarm has the state INSUFFICIENT_DATA. A replaced alarm keeps
   * its state. Throws MonitoringError `Conflict` if the alarm exists and `replace` is false.
   */
  putAlarm(alarm: AlarmDefinition, { replace }: { readonly replace: boolean }): Alarm {
    checkAlarm(alarm);
    checkSecretFiles(alarm);
    const seriesId = this.#buckets.ensure(alarm.bucket);
    const before = this.#tables.alarms.find(alarm.name);
    this.#checkName(alarm.name, before !== undefined, replace);
    const alarmId = this.#write(alarm, seriesId, before);
    this.#rounds.forget(alarmId);
    this.#rounds.plan();
    return this.#publish(this.alarm(alarm.name));
  }

  /** Removes the alarm with its history and pending actions. */
  removeAlarm(name: string): void {
    const { alarmId } = this.#find(name);
    this.#tables.durably(() => this.#tables.alarms.remove(alarmId));
    this.#rounds.plan();
    this.#events?.removed(name);
  }

  /**
   * Sets the state and queues the actions of the state, like an evaluation. Does nothing if the
   * alarm already has the state. The next evaluation may change the state again. Throws
   * MonitoringError `Conflict` while monitoring of the bucket is off.
   */
  setState(name: string, verdict: Verdict): Alarm {
    checkReason(verdict.reason);
    const alarm = this.#find(name);
    if (!alarm.monitored) {
      throw new MonitoringError(
        'Conflict',
        `cannot set the state of alarm ${name}: monitoring of ${alarm.bucket} is off`,
        `to turn it on: holdfast monitor metrics on ${alarm.bucket}`,
      );
    }
    if (alarm.state !== verdict.state) this.#change(alarm, verdict);
    return this.alarm(name);
  }

  /**
   * Records that a user acknowledged the alarm. The acknowledgement ends when the state changes. Idempotent. Throws
   * MonitoringError `Conflict` unless the state is ALARM.
   */
  acknowledge(name: string): Alarm {
    const alarm = this.#find(name);
    if (alarm.state !== 'ALARM') {
      const reason = `its state is ${alarm.state}, not ALARM`;
      throw new MonitoringError('Conflict', `cannot acknowledge alarm ${name}: ${reason}`);
    }
    if (alarm.acknowledgedAt !== undefined) return withoutIds(alarm);
    const at = this.#options.clock.now();
    this.#tables.durably(() => this.#tables.alarms.acknowledge(alarm.alarmId, at));
    return this.#publish(this.alarm(name));
  }

  /**
   * Runs the actions of a state once and returns their outcomes, without changing the state of the
   * alarm.
   */
  async testActions(name: string, state: AlarmState, signal: AbortSignal): Promise<TestedAction[]> {
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

  /**
   * Returns the history entries of an alarm that are older than the entry with the ID `before`,
   * newest first.
   */
  history(
    name: string,
    { limit, before }: { readonly limit: number; readonly before?: number },
  ): readonly HistoryEntry[] {
    return this.#tables.alarms.history(this.#find(name).alarmId, limit, before);
  }

  #write(alarm: AlarmDefinition, seriesId: number, before: StoredAlarm | undefined): number {
    const { alarms } = this.#tables;
    const at = this.#options.clock.now();
    const first = {
      state: 'INSUFFICIENT_DATA',
      reason: 'not evaluated yet',
      changedAt: at,
    } as const;
    return this.#tables.durably(() => {
      if (before) alarms.define(before.alarmId, seriesId, alarm);
      const alarmId = before?.alarmId ?? alarms.insert(seriesId, alarm, first);
      alarms.note(alarmId, { at, kind: 'configuration', summary: before ? 'replaced' : 'added' });
      return alarmId;
    });
  }

  #checkName(name: string, exists: boolean, replace: boolean): void {
    const refused = (reason: string, hint?: string) =>
      new MonitoringError('Conflict', `cannot add alarm ${name}: ${reason}`, hint);
    if (exists && !replace) throw refused('it exists already', 'to replace it: --replace');
    if (exists || this.#tables.alarms.all().length < MAX_ALARMS) return;
    throw refused(`the limit of ${MAX_ALARMS} alarms is reached`);
  }

  #change(alarm: StoredAlarm, verdict: Verdict): void {
    const transition = transitionOf(alarm, verdict, this.#options.clock.now());
    this.#tables.durably(() => this.#tables.alarms.change(alarm.alarmId, transition));
    const { acknowledgedAt: _, ...before } = alarm;
    this.#publish(withoutIds({ ...before, ...verdict, changedAt: transition.at }));
    this.#dispatcher.wake();
  }

  /** Adds the result of a test to the alarm's history, unless the alarm was removed during the test. */
  #noteTest({ name, alarmId }: StoredAlarm, summary: string): void {
    const { alarms } = this.#tables;
    const at = this.#options.clock.now();
    this.#tables.durably(() => {
      if (alarms.find(name)?.alarmId !== alarmId) return;
      alarms.note(alarmId, { at, kind: 'action', summary });
    });
  }

  #publish(alarm: Alarm): Alarm {
    this.#events?.changed(alarm);
    return alarm;
  }

  #find(name: string): StoredAlarm {
    this.#buckets.known();
    const alarm = this.#tables.alarms.find(name);
    if (alarm) return alarm;
    const hint = 'to list the alarms: holdfast monitor alarms list';
    throw new MonitoringError('NotFound', `unknown alarm "${name}"`, hint);
  }
}

/**
 * Checks the secret header files by reading them. So an invalid file is reported when the alarm is set, not when an
 * action needs the file.
 */
function checkSecretFiles({ actions }: AlarmDefinition): void {
  for (const action of Object.values<readonly AlarmAction[]>(actions).flat()) {
    if (action.type === 'webhook' && action.secretFile !== undefined) {
      readSecretHeader(action.secretFile);
    }
  }
}
