/** Maintains an open store: reports its health, checks and repairs it, runs scrubs, and keeps the trusted time. */

import { setImmediate } from 'node:timers/promises';

import type { Database } from 'better-sqlite3';

import type { Clock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/durations.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { isDamagedWhereStored, type StorageError } from '../../object-store/storage-error.ts';
import {
  isUnreadable,
  type MetadataDamage,
  REPAIR_STEPS,
  repairsWhenClosed,
} from '../disk/metadata-damage.ts';
import { ROOM_FOR_RESERVE } from '../writes/reserve.ts';
import type { RunCommand } from '../writes/writer.ts';
import {
  type CheckedStore,
  type CheckOptions,
  type CheckReport,
  checkStore,
} from './check-store.ts';
import { rememberSequence } from '../schema/opening.ts';
import { type Damage, MAX_LISTED_DAMAGE, Quarantine } from './quarantine.ts';
import { type Repaired, repairedOf } from '../integrity/repair-metadata.ts';
import { Scrub, type ScrubSettings } from './scrub.ts';
import { type ScrubState } from '../schema/rows.ts';
import type { Trash } from './trash.ts';
import type { TrustedTime, WallClock } from '../clock/trusted-time.ts';
import { askMetadataCheck, askPagesCheck } from './upkeep-thread.ts';

export interface StoreHealth {
  readonly state: 'in order' | 'degraded' | 'read-only';
  /** The reasons for the state of the store, each with a remedy. Empty if the state is `in order`. */
  readonly reasons: readonly string[];
  /** Some of the damaged blobs. */
  readonly damaged: readonly Damage[];
  readonly damagedCount: number;
  /** The scrub in progress or, if none is, the last scrub. */
  readonly scrub: ScrubState | undefined;
  /** The milliseconds by which the wall clock is ahead of the trusted time; 0 if the wall clock is trusted. */
  readonly clockAheadMs: number;
}

export interface RepairReport {
  readonly done: readonly Repaired[];
  /** The result of the check that follows the repair. */
  readonly after: CheckReport;
}

export interface StoreUpkeep {
  health(): StoreHealth;
  check(options: CheckOptions): Promise<CheckReport>;
  /** Repairs rows that can be derived from other rows, and quarantines damaged blobs. Does not remove versions. */
  repair(options: CheckOptions): Promise<RepairReport>;
  /** Resumes the unfinished scrub or starts a new one, even if no scrub is due. */
  scrub(): Promise<ScrubState>;
  /**
   * Sets the trusted time, by which locks end, to the wall clock. To be called only after a user has confirmed the wall
   * clock. Rejects if the new time cannot be stored.
   */
  trustClock(): Promise<void>;
}

interface UpkeepOptions extends CheckedStore {
  readonly database: Database;
  readonly run: RunCommand;
  readonly refusal: () => StorageError | undefined;
  readonly damage: MetadataDamage;
  /** Returns whether the disk is full and the reserve file was deleted to free space. */
  readonly lacksRoom: () => boolean;
  readonly sweep: () => Promise<{ readonly orphans: number; readonly restored: number }>;
  readonly trash: Trash;
  readonly trustedTime: TrustedTime;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scrubSettings: ScrubSettings;
}

/** The interval at which the trusted time and the next sequence number are stored. */
const REMEMBER_EVERY_MS = 10 * 60 * 1000;
/**
 * All database pages are checked soon after the start and then daily, so that damage is found even on a page that no
 * request reads.
 */
const FIRST_PAGES_CHECK_MS = 5_000;
const PAGES_CHECK_EVERY_MS = DAY_MS;
/**
 * The interval at which the wall clock is checked. When the wall clock comes back from a jump, the versions written
 * during the jump get corrected dates.
 */
const LOOK_EVERY_MS = 60 * 1000;

export class Upkeep implements StoreUpkeep {
  readonly quarantine: Quarantine;
  readonly #options: UpkeepOptions;
  readonly #scrub: Scrub;
  readonly #closing = new AbortController();
  #cancelLook: (() => void) | undefined;
  #cancelPagesCheck: (() => void) | undefined;
  #pagesCheck: Promise<void> | undefined;
  #rememberedAt: number;
  #clock: WallClock | undefined;

  constructor(options: UpkeepOptions) {
    const { layout, database, blobs, run, clock, logger, scrubSettings: settings } = options;
    this.#options = options;
    this.#rememberedAt = clock.monotonic();
    this.quarantine = new Quarantine({ metadata: layout.metadata, database, blobs, run, logger });
    const { quarantine } = this;
    const inconsistencies = () => this.#inconsistencies();
    this.#scrub = new Scrub({
      database,
      quarantine,
      run,
      clock,
      logger,
      settings,
      inconsistencies,
    });
  }

  start(): void {
    this.#scrub.start();
    this.#lookLater();
    this.#checkPagesIn(FIRST_PAGES_CHECK_MS);
  }

  /** Stops all background work. Must be called before the writer closes. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#cancelLook?.();
    this.#cancelPagesCheck?.();
    await this.#pagesCheck;
    await this.#scrub.stop();
    await this.quarantine.close();
    await this.#remember();
  }

  health(): StoreHealth {
    const { damage, refusal: refusalOf } = this.#options;
    const damagedCount = readable(() => this.quarantine.size, 0);
    const damaged = readable(() => this.quarantine.list(MAX_LISTED_DAMAGE), []);
    const refusal = refusalOf();
    const inconsistencies = readable(() => this.#scrub.lastFinished?.inconsistencies, 0) ?? 0;
    const reasons = [
      ...(refusal ? [refusal.message] : []),
      ...(this.#options.lacksRoom() ? [NO_ROOM] : []),
      ...(damagedCount > 0 ? [damageText(damagedCount)] : []),
      ...(damage.reason !== undefined && !isDamagedWhereStored(refusal) ? [PAGES_DAMAGED] : []),
      ...(inconsistencies > 0 ? [inconsistencyText(inconsistencies)] : []),
    ];
    return {
      state: refusal ? 'read-only' : reasons.length > 0 ? 'degraded' : 'in order',
      reasons,
      damaged,
      damagedCount,
      scrub: readable(() => this.#scrub.state, undefined),
      clockAheadMs: this.#options.trustedTime.read().clockAheadMs,
    };
  }

  async check(options: CheckOptions): Promise<CheckReport> {
    const report = await checkStore(this.#options, options, this.#breathe(options.signal));
    const page = report.problems.find(({ code }) => code === 'database');
    if (page) this.#options.damage.note(page.message);
    return report;
  }

  async repair(options: CheckOptions): Promise<RepairReport> {
    const { run, sweep, trash, damage, layout } = this.#options;
    if ((damage.reason ?? (await askPagesCheck(layout.metadata))) !== undefined)
      throw repairsWhenClosed();
    const breathe = this.#breathe(options.signal);
    const before = this.quarantine.blobIds();
    const tables = await run('repairTables', { trashFolder: trash.todaysFolder });
    const { orphans, restored } = await sweep();
    const damaged: number[] = [];
    await checkStore(this.#options, options, breathe, (blobId) => damaged.push(blobId));
    for (const blobId of damaged) await this.quarantine.inspect(blobId, breathe);
    await this.quarantine.heal(breathe);
    const after = await this.check({ ...options, deep: false });
    const now = this.quarantine.blobIds();
    const done = [
      ...tables,
      ...filesDone(orphans, 'file-unknown', 'moved to trash/'),
      ...filesDone(restored, 'file-missing', 'found in trash/ and put back'),
      ...blobsDone(now, before, 'damaged: reading it is refused from now on'),
      ...blobsDone(
        before,
        now,
        'no longer damaged (intact again, or replaced by equal bytes), or no longer needed',
      ),
    ];
    return { done, after };
  }

  scrub(): Promise<ScrubState> {
    return this.#scrub.run();
  }

  async trustClock(): Promise<void> {
    this.#options.trustedTime.trustClock();
    await this.#saveTime();
  }

  async #inconsistencies(): Promise<number> {
    const { counts } = await askMetadataCheck(this.#options.layout.metadata, () => {});
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  /**
   * Returns a function that lets other work run between two steps. The function rejects when the signal is aborted or
   * the store closes.
   */
  #breathe(signal: AbortSignal | undefined) {
    const signals = [this.#closing.signal, ...(signal ? [signal] : [])];
    const either = AbortSignal.any(signals);
    return async () => {
      either.throwIfAborted();
      await setImmediate();
    };
  }

  #checkPagesIn(waitMs: number): void {
    if (this.#closing.signal.aborted) return;
    this.#cancelPagesCheck = this.#options.clock.after(waitMs, () => {
      this.#pagesCheck = this.#checkPages().finally(() => this.#checkPagesIn(PAGES_CHECK_EVERY_MS));
    });
  }

  async #checkPages(): Promise<void> {
    const { layout, damage, logger } = this.#options;
    try {
      const reason = await askPagesCheck(layout.metadata);
      if (reason === undefined) return;
      damage.note(reason);
      logger.error({ reason, fix: REPAIR_STEPS }, 'check store: pages of store.sqlite are damaged');
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, 'check store: its pages could not be checked');
    }
  }

  #lookLater(): void {
    if (this.#closing.signal.aborted) return;
    this.#cancelLook = this.#options.clock.after(LOOK_EVERY_MS, () => {
      void this.#look().then(() => this.#lookLater());
    });
  }

  async #look(): Promise<void> {
    const { trustedTime, clock } = this.#options;
    const before = this.#clock;
    this.#clock = trustedTime.read().clock;
    const isDue = clock.monotonic() - this.#rememberedAt >= REMEMBER_EVERY_MS;
    if (isDue || this.#clock !== before) await this.#remember();
  }

  async #remember(): Promise<void> {
    const { refusal, clock, logger } = this.#options;
    if (refusal()) return;
    this.#rememberedAt = clock.monotonic();
    try {
      await this.#saveTime();
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, 'store the trusted time: failed');
    }
  }

  async #saveTime(): Promise<void> {
    const { run, trustedTime, database, layout } = this.#options;
    await run('saveTrustedTime', trustedTime.remember());
    rememberSequence(database, layout);
  }
}

const NO_ROOM = `its disk is full: it accepts only deletes until ${ROOM_FOR_RESERVE / 1024 ** 2} MiB are free; free up disk space`;

/** Returns the result of `read`, or `otherwise` if a damaged page makes it fail. */
function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return otherwise;
  }
}

const PAGES_DAMAGED = `pages of store.sqlite are damaged, so some objects cannot be read; run: ${REPAIR_STEPS}`;

function damageText(count: number): string {
  const what = count === 1 ? 'the bytes of 1 blob are' : `the bytes of ${count} blobs are`;
  return `${what} damaged: put the files back from a backup of the store, or upload these objects again`;
}

function inconsistencyText(count: number): string {
  return `its tables have ${count} inconsistencies: run holdfast admin store check, then holdfast admin store repair`;
}

function filesDone(count: number, code: string, did: string): readonly Repaired[] {
  return count === 0 ? [] : [{ code, subject: `${count} files in blobs/`, did }];
}

/** Returns an entry for each blob that is in the first set but not in the second. */
function blobsDone(
  blobIds: ReadonlySet<number>,
  others: ReadonlySet<number>,
  did: string,
): readonly Repaired[] {
  const gone = [...blobIds].filter((blobId) => !others.has(blobId));
  const subjects = gone.map((blobId) => `blob ${blobId}`);
  return repairedOf(subjects, { code: 'bytes-damaged', did });
}
