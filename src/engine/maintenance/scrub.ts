/**
 * Reads all stored bytes once a month, slowly, and compares them with their checksums. So damage is found while a
 * backup still exists. After a restart, the scrub resumes at its last stored position.
 */

import type { Database, Statement } from 'better-sqlite3';

import type { Clock } from '../../base/clock.ts';
import { errorMessage, isAbort } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { RunCommand } from '../writes/writer.ts';
import { Pacer } from './pacer.ts';
import type { Quarantine } from './quarantine.ts';
import type { ScrubState } from '../schema/rows.ts';

export interface ScrubSettings {
  /** The time from the start of a scrub to the start of the next one. */
  readonly everyMs: number;
  readonly bytesPerSecond: number;
}

/**
 * The delay before the first check whether a scrub is due, because other components need the disk when the store opens.
 */
const FIRST_LOOK_MS = 10 * 60 * 1000;
const LOOK_EVERY_MS = 3600 * 1000;

/**
 * The position is stored each time this many bytes or blobs were read. After a crash, the blobs that were read since
 * then are read again.
 */
const SAVE_BYTES = 256 * 1024 ** 2;
const SAVE_BLOBS = 1024;

const COLUMNS = `scrub_id AS scrubId, started_at AS startedAt, finished_at AS finishedAt, cursor, blobs, bytes,
  damaged, inconsistencies`;

interface ScrubOptions {
  readonly database: Database;
  readonly quarantine: Quarantine;
  readonly run: RunCommand;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: ScrubSettings;
  /** Checks the database tables, and returns the number of problems. */
  readonly inconsistencies: () => Promise<number>;
}

type NextBlob = { readonly blobId: number; readonly sizeBytes: number };

export class Scrub {
  readonly #options: ScrubOptions;
  readonly #last: Statement<[], ScrubState>;
  readonly #lastFinished: Statement<[], ScrubState>;
  readonly #next: Statement<[number], NextBlob>;
  readonly #stop = new AbortController();
  #cancelLook: (() => void) | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: ScrubOptions) {
    const { database } = options;
    this.#options = options;
    this.#last = database.prepare(`SELECT ${COLUMNS} FROM scrub ORDER BY scrub_id DESC LIMIT 1`);
    this.#lastFinished = database.prepare(
      `SELECT ${COLUMNS} FROM scrub WHERE finished_at IS NOT NULL ORDER BY scrub_id DESC LIMIT 1`,
    );
    this.#next = database.prepare(
      `SELECT blob_id AS blobId, size_bytes AS sizeBytes FROM blob
       WHERE blob_id > ? ORDER BY blob_id LIMIT 1`,
    );
  }

  /** Starts the periodic check whether a scrub is due. */
  start(): void {
    this.#lookAfter(FIRST_LOOK_MS);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#cancelLook?.();
    await this.#running;
  }

  /** The scrub in progress or, if none is, the last scrub. Undefined before the first scrub. */
  get state(): ScrubState | undefined {
    return this.#last.get();
  }

  get lastFinished(): ScrubState | undefined {
    return this.#lastFinished.get();
  }

  #lookAfter(ms: number): void {
    if (this.#stop.signal.aborted) return;
    this.#cancelLook = this.#options.clock.after(ms, () => {
      this.#running = this.#look().finally(() => this.#lookAfter(LOOK_EVERY_MS));
    });
  }

  /** Reads quarantined blobs even if no scrub is due, because their files may have been restored from a backup. */
  async #look(): Promise<void> {
    const { quarantine, logger, clock, settings } = this.#options;
    try {
      const pacer = new Pacer(clock, settings.bytesPerSecond, this.#stop.signal);
      await quarantine.inspectAgain((bytes) => pacer.pace(bytes));
      if (this.#isDue()) await this.#scrubAll();
    } catch (error) {
      if (isAbort(error)) return;
      logger.error(
        { reason: errorMessage(error) },
        'scrub store: failed, continues within the hour',
      );
    }
  }

  #isDue(): boolean {
    const last = this.#last.get();
    if (!last || last.finishedAt === null) return true;
    const sinceMs = this.#options.clock.now() - last.startedAt;
    // Start a scrub also if the clock went back, because otherwise the next scrub could be years away.
    return sinceMs >= this.#options.settings.everyMs || sinceMs < 0;
  }

  /** Resumes the unfinished scrub or starts a new one. Rejects with an `AbortError` if the scrub is stopped. */
  run(): Promise<ScrubState> {
    const running = this.#running.then(() => this.#scrubAll());
    this.#running = running.catch(() => undefined);
    return running;
  }

  async #scrubAll(): Promise<ScrubState> {
    const { run, logger, inconsistencies, clock, settings } = this.#options;
    const pacer = new Pacer(clock, settings.bytesPerSecond, this.#stop.signal);
    let state = await this.#begin();
    let saved = state;
    for (;;) {
      const blob = this.#next.get(state.cursor);
      if (!blob) break;
      state = await this.#scrubOne(state, blob, pacer);
      const isLong = state.bytes - saved.bytes >= SAVE_BYTES;
      if (!isLong && state.blobs - saved.blobs < SAVE_BLOBS) continue;
      await run('saveScrub', state);
      saved = state;
    }
    state = { ...state, finishedAt: clock.now(), inconsistencies: await inconsistencies() };
    await run('saveScrub', state);
    const isSound = state.damaged === 0 && state.inconsistencies === 0;
    logger[isSound ? 'info' : 'error']({ ...state }, 'scrub store: finished');
    return state;
  }

  async #begin(): Promise<ScrubState> {
    const last = this.#last.get();
    if (last && last.finishedAt === null) return last;
    const state = {
      scrubId: (last?.scrubId ?? 0) + 1,
      startedAt: this.#options.clock.now(),
      finishedAt: null,
      cursor: 0,
      blobs: 0,
      bytes: 0,
      damaged: 0,
      inconsistencies: 0,
    };
    await this.#options.run('saveScrub', state);
    return state;
  }

  async #scrubOne(state: ScrubState, blob: NextBlob, pacer: Pacer): Promise<ScrubState> {
    const damage = await this.#options.quarantine.inspect(blob.blobId, (bytes) =>
      pacer.pace(bytes),
    );
    return {
      ...state,
      cursor: blob.blobId,
      blobs: state.blobs + 1,
      bytes: state.bytes + blob.sizeBytes,
      damaged: state.damaged + (damage === undefined ? 0 : 1),
    };
  }
}
