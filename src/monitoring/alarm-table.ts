/** Reads and writes the database tables of alarms, alarm history and pending alarm actions. */

import type { Database, Statement } from 'better-sqlite3';

import type {
  Alarm,
  AlarmAction,
  AlarmDefinition,
  AlarmState,
  HistoryEntry,
  HistoryKind,
  Transition,
} from './alarm.ts';

/**
 * The maximum number of history entries per alarm. They cover months if the alarm changes daily, and hours if it
 * changes constantly.
 */
export const MAX_HISTORY = 500;

/**
 * The maximum number of pending actions per alarm. An alarm reaches this number if its state changes faster than its
 * actions finish.
 */
export const MAX_PENDING = 100;

export interface StoredAlarm extends Alarm {
  readonly alarmId: number;
  readonly seriesId: number;
}

export interface PendingAction {
  readonly pendingId: number;
  readonly alarmId: number;
  readonly transition: Transition;
  readonly action: AlarmAction;
  /** The number of attempts to run the action, including an attempt in progress. */
  readonly attempts: number;
  readonly dueAt: number;
}

/** The stored definition, without the fields that have separate columns. The bucket name is in the table of buckets. */
type StoredDefinition = Omit<AlarmDefinition, 'bucket' | 'name'>;

interface AlarmRow {
  readonly alarmId: number;
  readonly seriesId: number;
  readonly name: string;
  readonly bucket: string;
  readonly monitored: 0 | 1;
  readonly definition: string;
  readonly state: AlarmState;
  readonly reason: string;
  readonly changedAt: number;
  readonly acknowledgedAt: number | null;
}

interface PendingRow extends Omit<PendingAction, 'action' | 'transition'> {
  readonly transition: string;
  readonly action: string;
}

const ALARMS = `
  SELECT alarm_id AS alarmId, series_id AS seriesId, alarm.name, bucket.name AS bucket, monitored, definition,
    state, reason, changed_at AS changedAt, acknowledged_at AS acknowledgedAt
  FROM alarm JOIN bucket USING (series_id)`;

export class AlarmTable {
  readonly #all: Statement<[], AlarmRow>;
  readonly #find: Statement<[string], AlarmRow>;
  readonly #insert: Statement<[number, string, string, AlarmState, string, number]>;
  readonly #define: Statement<[number, string, number]>;
  readonly #setState: Statement<[AlarmState, string, number, number]>;
  readonly #acknowledge: Statement<[number, number]>;
  readonly #remove: Statement<[number]>;
  readonly #note: Statement<[number, number, HistoryKind, string]>;
  readonly #forget: Statement<[number, number, number]>;
  readonly #history: Statement<[number, number, number], HistoryEntry>;
  readonly #pending: Statement<[], PendingRow>;
  readonly #insertPending: Statement<[number, string, string, number]>;
  readonly #begin: Statement<[number]>;
  readonly #postpone: Statement<[number, number]>;
  readonly #end: Statement<[number]>;
  readonly #pendingOf: Statement<[number], number>;

  constructor(database: Database) {
    this.#all = database.prepare(`${ALARMS} ORDER BY alarm.name`);
    this.#find = database.prepare(`${ALARMS} WHERE alarm.name = ?`);
    this.#insert = database.prepare(
      `INSERT INTO alarm (series_id, name, definition, state, reason, changed_at) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#define = database.prepare(
      'UPDATE alarm SET series_id = ?, definition = ? WHERE alarm_id = ?',
    );
    this.#setState = database.prepare(
      'UPDATE alarm SET state = ?, reason = ?, changed_at = ?, acknowledged_at = NULL WHERE alarm_id = ?',
    );
    this.#acknowledge = database.prepare('UPDATE alarm SET acknowledged_at = ? WHERE alarm_id = ?');
    this.#remove = database.prepare('DELETE FROM alarm WHERE alarm_id = ?');
    this.#note = database.prepare(
      'INSERT INTO history (alarm_id, at, kind, summary) VALUES (?, ?, ?, ?)',
    );
    this.#forget = database.prepare(
      `DELETE FROM history WHERE alarm_id = ? AND entry_id <= (
         SELECT entry_id FROM history WHERE alarm_id = ? ORDER BY entry_id DESC LIMIT 1 OFFSET ?)`,
    );
    this.#history = database.prepare(
      `SELECT entry_id AS id, at, kind, summary FROM history
       WHERE alarm_id = ? AND entry_id < ? ORDER BY entry_id DESC LIMIT ?`,
    );
    this.#pending = database.prepare(
      `SELECT pending_id AS pendingId, alarm_id AS alarmId, transition, action, attempts, due_at AS dueAt
       FROM pending_action ORDER BY pending_id`,
    );
    this.#insertPending = database.prepare(
      `INSERT INTO pending_action (alarm_id, transition, action, attempts, due_at) VALUES (?, ?, ?, 0, ?)`,
    );
    this.#begin = database.prepare(
      'UPDATE pending_action SET attempts = attempts + 1 WHERE pending_id = ?',
    );
    this.#postpone = database.prepare('UPDATE pending_action SET due_at = ? WHERE pending_id = ?');
    this.#end = database.prepare('DELETE FROM pending_action WHERE pending_id = ?');
    this.#pendingOf = database
      .prepare<[number], number>('SELECT count(*) FROM pending_action WHERE alarm_id = ?')
      .pluck();
  }

  all(): readonly StoredAlarm[] {
    return this.#all.all().map(alarmOf);
  }

  find(name: string): StoredAlarm | undefined {
    const row = this.#find.get(name);
    return row && alarmOf(row);
  }

  insert(
    seriesId: number,
    alarm: AlarmDefinition,
    first: Pick<Alarm, 'changedAt' | 'reason' | 'state'>,
  ): number {
    const { state, reason, changedAt } = first;
    const text = definitionText(alarm);
    const { lastInsertRowid } = this.#insert.run(
      seriesId,
      alarm.name,
      text,
      state,
      reason,
      changedAt,
    );
    return Number(lastInsertRowid);
  }

  define(alarmId: number, seriesId: number, alarm: AlarmDefinition): void {
    this.#define.run(seriesId, definitionText(alarm), alarmId);
  }

  /**
   * Sets the state, adds an entry to the history, and queues the actions of the new state. Queues no action if more
   * than `MAX_PENDING` would be queued.
   */
  change(alarmId: number, transition: Transition): void {
    const { from, to, reason, at, alarm } = transition;
    this.#setState.run(to, reason, at, alarmId);
    this.note(alarmId, { at, kind: 'state', summary: `${from} to ${to}: ${reason}` });
    const queued = this.#pendingOf.get(alarmId) ?? 0;
    if (queued + alarm.actions[to].length > MAX_PENDING) {
      this.note(alarmId, { at, kind: 'action', summary: `skipped: ${queued} actions are pending` });
      return;
    }
    for (const action of alarm.actions[to]) {
      this.#insertPending.run(alarmId, JSON.stringify(transition), JSON.stringify(action), at);
    }
  }

  acknowledge(alarmId: number, at: number): void {
    this.#acknowledge.run(at, alarmId);
    this.note(alarmId, { at, kind: 'state', summary: 'acknowledged' });
  }

  remove(alarmId: number): void {
    this.#remove.run(alarmId);
  }

  note(alarmId: number, { at, kind, summary }: Omit<HistoryEntry, 'id'>): void {
    this.#note.run(alarmId, at, kind, summary);
    this.#forget.run(alarmId, alarmId, MAX_HISTORY);
  }

  /** Returns the history entries that are older than the entry `before`, newest first. */
  history(
    alarmId: number,
    limit: number,
    before = Number.MAX_SAFE_INTEGER,
  ): readonly HistoryEntry[] {
    return this.#history.all(alarmId, before, limit);
  }

  /** Returns the pending actions in the order of the state changes. */
  pending(): readonly PendingAction[] {
    return this.#pending.all().map(pendingOf);
  }

  /**
   * Counts an attempt to run the action. Like `postpone` and `end`, returns false if the action was deleted together
   * with its alarm.
   */
  begin(pendingId: number): boolean {
    return this.#begin.run(pendingId).changes > 0;
  }

  postpone(pendingId: number, dueAt: number): boolean {
    return this.#postpone.run(dueAt, pendingId).changes > 0;
  }

  end(pendingId: number): boolean {
    return this.#end.run(pendingId).changes > 0;
  }
}

function definitionText(alarm: AlarmDefinition): string {
  const { bucket: _, name: __, ...definition } = alarm;
  return JSON.stringify(definition satisfies StoredDefinition);
}

function alarmOf({ definition, monitored, acknowledgedAt, ...row }: AlarmRow): StoredAlarm {
  const stored = JSON.parse(definition) as StoredDefinition;
  const known = acknowledgedAt === null ? {} : { acknowledgedAt };
  return { ...stored, ...row, ...known, monitored: monitored === 1 };
}

function pendingOf({ transition, action, ...row }: PendingRow): PendingAction {
  return {
    ...row,
    transition: JSON.parse(transition) as Transition,
    action: JSON.parse(action) as AlarmAction,
  };
}
