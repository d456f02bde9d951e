/**
 * Raises a job's alarm when many files change as if an attacker encrypted them. The alarm survives restarts, and only
 * the user ends it. While it is on, suspicious changes are held for review, and the locks of the last good versions are
 * extended.
 */

import PQueue from 'p-queue';

import { defined } from '../../base/defined.ts';
import { ensureLock, RETENTION_NOT_REPORTED } from '../objects/ensure-lock.ts';
import { pathOfKey } from '../model/local-path.ts';
import type { Clock } from '../../base/clock.ts';
import type { Tracker } from '../model/tracker.ts';
import { type JobDestination, readVersion } from '../objects/destination.ts';
import type { NewVersions } from '../objects/lock-rules.ts';
import { countText } from '../../text/amounts.ts';
import type { PlanPolicy } from '../plan/plan-types.ts';
import { isAttack, ANOMALIES_KEPT_MS } from '../plan/anomaly-signs.ts';
import { treeOf } from '../plan/tool-trees.ts';
import type { AnomalyRow } from '../state/anomalies.ts';
import type { StateFile } from '../state/state-file.ts';

/** The parts of a job that the mass-change guard uses. */
export interface GuardParts extends Pick<NewVersions, 'lock' | 'lockTime'> {
  readonly destination: JobDestination;
  readonly state: StateFile;
  readonly clock: Clock;
  readonly tracker: Tracker;
}

/** The parts of the running session that the mass-change guard uses. */
export interface GuardSession {
  readonly signal: AbortSignal;
  readonly policy: () => Pick<PlanPolicy, 'bucket'>;
}

/** Name of the value in the job's state file that contains the Alarm as JSON. */
const ALARM = 'alarm';

export interface Alarm {
  /** When the first file lost its readable content, in milliseconds since 1970. */
  readonly since: number;
  /** Why the locks of the last good versions were not extended; absent if all were extended. */
  readonly unlocked?: string;
}

export function readAlarm(state: StateFile): Alarm | undefined {
  const text = state.meta(ALARM);
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as Alarm);
}

/** Ends the alarm, and removes all recorded anomalies. */
export function endAlarm(state: StateFile): void {
  state.setMeta(ALARM, '');
  state.anomalies.forgetAll();
}

/** A file's last version before it was deleted or overwritten with content that looks encrypted. */
export type GoodVersion = Pick<AnomalyRow, 'key' | 'versionId'>;

/** Raises the alarm and extends locks. Each job has one instance. */
export class AnomalyAlarm {
  readonly #parts: GuardParts;
  /** Set while the alarm is being raised. Concurrent callers wait for this promise. */
  #raising: Promise<void> | undefined;

  constructor(parts: GuardParts) {
    this.#parts = parts;
  }

  /**
   * Returns whether the alarm is on. Raises the alarm first if the recorded anomalies indicate an attack or concern at
   * least `limit` files.
   */
  async isOn(session: GuardSession, limit = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { state, clock } = this.#parts;
    if (readAlarm(state)) return true;
    const now = clock.now();
    state.anomalies.forgetBefore(now - ANOMALIES_KEPT_MS);
    const lost = state.anomalies.lost();
    const times = oneOfEachTree(lost, state);
    if (times.length < limit && !isAttack(times, state.baseline.totals().files, now)) return false;
    this.#raising ??= this.#raise(lost, session).finally(() => (this.#raising = undefined));
    await this.#raising;
    return true;
  }

  /** Extends the locks, then stores the alarm. After a crash in between, the next anomaly raises the alarm again. */
  async #raise(lost: readonly AnomalyRow[], session: GuardSession): Promise<void> {
    const { state, clock, tracker } = this.#parts;
    const unlocked = await this.lockGoodVersions(lost, session);
    const since = Math.min(clock.now(), ...lost.map(({ at }) => at));
    state.setMeta(ALARM, JSON.stringify({ since, ...defined({ unlocked }) }));
    tracker.say({ level: 'error', action: 'alarm', message: MEANING });
  }

  /**
   * Extends the locks of these versions. Returns the reason if a lock could not be extended, otherwise undefined. Does
   * not log a reason that is already stored in the alarm.
   */
  async lockGoodVersions(
    versions: readonly GoodVersion[],
    session: GuardSession,
  ): Promise<string | undefined> {
    const { state, tracker } = this.#parts;
    const lane = new PQueue({ concurrency: LOCKS_AT_ONCE });
    const outcomes = await lane.addAll(versions.map((each) => () => this.#lockGood(each, session)));
    const unlocked = outcomes.find((outcome) => outcome !== undefined);
    const alarm = readAlarm(state);
    if (unlocked !== undefined && alarm && alarm.unlocked !== unlocked)
      tracker.say({
        level: 'error',
        action: 'not-locked',
        message: `cannot extend the locks of the earlier versions: ${unlocked}`,
      });
    return unlocked;
  }

  /**
   * Extends the retention of a file's last good version to the date that a new version's retention would get now.
   * Returns the reason if this fails. A job without lock settings locks nothing, because its configuration allows
   * versions to be removed at any time.
   */
  async #lockGood(
    { key, versionId }: GoodVersion,
    { policy, signal }: GuardSession,
  ): Promise<string | undefined> {
    const { destination, lockTime, lock } = this.#parts;
    if (policy().bucket !== 'object-lock') return 'the bucket has no object lock';
    const retention = (await lock(key))?.retention;
    if (!retention) return 'the job has no lock settings';
    if (versionId === undefined) return 'the service did not return the version id';
    const find = async () => {
      const found = await readVersion(destination, { key, versionId }, signal);
      return found === 'absent' ? undefined : found;
    };
    const outcome = await ensureLock(
      { destination, key, now: await lockTime(), find },
      retention,
      signal,
    );
    if (outcome.is === 'locked') return undefined;
    return outcome.is === 'absent'
      ? `${pathOfKey(key)}: the version does not exist any more`
      : `${pathOfKey(key)}: ${outcome.refusal ?? RETENTION_NOT_REPORTED}`;
  }
}

/**
 * Returns the times of the anomalies, one for each file. All anomalies in a tool's folder, such as `.git`, count as
 * one.
 */
function oneOfEachTree(
  anomalies: readonly Pick<AnomalyRow, 'key' | 'at'>[],
  state: StateFile,
): readonly number[] {
  const knows = (key: string) => state.baseline.get(key) !== undefined;
  const last = new Map(anomalies.map(({ key, at }) => [treeOf(key, knows) ?? key, at]));
  return [...last.values()];
}

const MEANING =
  'files change as in a ransomware attack: from now on the mass-change guard holds such changes, and the earlier versions ' +
  'stay in the bucket; find the program that changes the files, then review the held changes: holdfast job review';

const LOCKS_AT_ONCE = 16;

/** Returns the text about the alarm for the job's status; undefined if the alarm is off. */
export function alarmText(state: StateFile): string | undefined {
  const alarm = readAlarm(state);
  if (!alarm) return undefined;
  const { overwrites, suspectDeletes, lost } = state.heldChanges.counts();
  const mirrored = Math.max(0, lost - overwrites - suspectDeletes);
  const locks =
    alarm.unlocked === undefined
      ? 'their locks were extended'
      : `their locks were not extended: ${alarm.unlocked}`;
  return (
    `suspected ransomware attack: ${countText(overwrites, 'overwrite')} and ${countText(suspectDeletes, 'delete')} are held; ` +
    `${countText(mirrored, 'file')} ${mirrored === 1 ? 'was' : 'were'} overwritten or deleted before the attack was detected; the earlier versions stay in the bucket; ${locks}`
  );
}
