/** The door of the mirror: one folder kept in one place of a bucket, for as long as it is open. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Clock } from '../base/clock.ts';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { Agenda } from './agenda.ts';
import { createExcluder, type Excluder } from './exclude.ts';
import { backOffMs, failureKind } from './failures.ts';
import { MirrorError } from './mirror-error.ts';
import { Retries } from './retries.ts';
import { compareRoot, identifyRoot, type RootIdentity } from './root.ts';
import { runSession } from './session.ts';
import { openStateFile, type StateFile } from './state.ts';
import { describeStatus, type MirrorStatus, type Standstill } from './status.ts';
import { type Activity, Tracker } from './tracker.ts';
import type { MirrorJob } from './types.ts';
import { type TreeWatch, watchTree } from './watch.ts';

export type { MirrorStatus } from './status.ts';

export interface MirrorOptions {
  readonly job: MirrorJob;
  readonly store: ObjectStore;
  /** Made when missing. One job's alone. */
  readonly stateDir: string;
  /** Never mirrored: Holdfast's home, store and state. */
  readonly protectedFolders: readonly string[];
  /** Names this installation in the claim. */
  readonly hostId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** At most four times a second. */
  readonly onChange: (status: MirrorStatus) => void;
  readonly onActivity: (activity: Activity) => void;
}

export interface Mirror {
  status(): MirrorStatus;
  /** Begins to work; before, nothing is read or written. */
  start(): void;
  /** Has everything looked at, the bucket's listing too. Resolves when that round is over. */
  runNow(): Promise<void>;
  /**
   * Resolves when all that was changed before the call is durable or a named problem, whether a watch saw
   * it or not; or when the job cannot go on: its status says why. Rejects with the signal's reason.
   */
  settled(signal?: AbortSignal): Promise<void>;
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

const CHANGE_INTERVAL_MS = 250;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;
const ROOT_LOOK_MS = 5_000;
/** Name of a row in the state's `meta`. */
const ROOT = 'root';

/** Throws MirrorError `RootProtected`, `FolderMissing` or `StateUnusable`. */
export async function openMirror(options: MirrorOptions): Promise<Mirror> {
  const { job, stateDir, protectedFolders } = options;
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const excluder = createExcluder({
    root: job.root,
    patterns: job.exclude,
    protectedFolders: [...protectedFolders, stateDir],
  });
  return new FolderMirror(options, excluder, openStateFile(join(stateDir, 'state.sqlite')));
}

class FolderMirror implements Mirror {
  readonly #options: MirrorOptions;
  readonly #excluder: Excluder;
  readonly #state: StateFile;
  readonly #agenda: Agenda;
  readonly #retries: Retries;
  readonly #tracker: Tracker;
  readonly #closing = new AbortController();
  #session = new AbortController();
  #watch: TreeWatch | undefined;
  #life: Promise<void> | undefined;
  #isPaused = false;
  #standstill: Standstill | undefined;
  #isScanning = false;
  #heldBack: string | undefined;
  #lastRound: { readonly at: number; readonly text: string } | undefined;
  /** Sessions that failed since the last round. */
  #failures = 0;
  #isChangeDue = false;

  constructor(options: MirrorOptions, excluder: Excluder, state: StateFile) {
    const { clock } = options;
    this.#options = options;
    this.#excluder = excluder;
    this.#state = state;
    this.#agenda = new Agenda(clock);
    this.#retries = new Retries(clock, (path) => this.#agenda.hint(path));
    this.#tracker = new Tracker({
      onChange: () => this.#changed(),
      onActivity: options.onActivity,
    });
  }

  status(): MirrorStatus {
    const busySince = this.#retries.busySince();
    const since = [this.#tracker.oldestSince(), this.#agenda.oldestSince(), ...busySince];
    const oldest = Math.min(...since.map((each) => each ?? Number.POSITIVE_INFINITY));
    const waiting = this.#agenda.hintCount() + busySince.length;
    const { unguarded } = this.#options.job;
    return describeStatus({
      standstill: this.#standstill,
      isScanning: this.#isScanning,
      isFirst: this.#lastRound === undefined,
      heldBack: this.#heldBack,
      oldestSince: Number.isFinite(oldest) ? oldest : undefined,
      now: this.#options.clock.now(),
      counts: this.#tracker.counts(
        this.#state.baseline.totals(),
        this.#state.journal.countSuperseded(),
        waiting,
      ),
      problems: this.#tracker.problems(),
      coverage: this.#watch?.coverage(),
      lastRound: this.#lastRound,
      warnings: unguarded ? ['unguarded: writes of others may be lost'] : [],
    });
  }

  start(): void {
    this.#life ??= this.#live();
  }

  runNow(): Promise<void> {
    return this.#request(true);
  }

  async settled(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await Promise.race([this.#request(false), aborted.promise]);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  pause(): void {
    this.#isPaused = true;
    this.#session.abort();
    this.#standStill({ state: 'paused' });
  }

  resume(): void {
    this.#isPaused = false;
    this.#standStill(undefined);
    this.#agenda.wake();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#life;
    this.#retries.close();
    await this.#watch?.close();
    this.#standStill({ state: 'stopped' });
    this.#state.close();
  }

  #request(remote: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#agenda.request({ remote, done: resolve });
    return promise;
  }

  async #live(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      if (this.#isPaused) {
        this.#giveUpWaiting();
        await this.#agenda.change(LONGEST_RETRY_MS, signal);
        continue;
      }
      await this.#runOnce();
    }
    this.#giveUpWaiting();
  }

  async #runOnce(): Promise<void> {
    this.#session = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, this.#session.signal]);
    this.#standStill(undefined);
    try {
      await runSession(this.#sessionContext(), signal);
    } catch (error) {
      if (!signal.aborted) await this.#afterFailure(error);
    }
  }

  /** Nobody is kept waiting for what only a person can mend; a service that is down may come back. */
  async #afterFailure(error: unknown): Promise<void> {
    const { job, logger } = this.#options;
    this.#failures++;
    const isRoot = error instanceof MirrorError && error.code === 'RootMissing';
    const waitMs = isRoot
      ? ROOT_LOOK_MS
      : backOffMs(this.#failures, LONGEST_RETRY_MS, FIRST_RETRY_MS);
    const reason = errorMessage(error);
    logger.warn({ job: job.name, error: reason, waitMs }, 'mirror job: stopped, tried again later');
    if (isRoot) await this.#stopWatching();
    this.#standStill(
      isRoot
        ? { state: 'root missing', reason }
        : { state: 'failed', reason: `${reason}; tried again in ${Math.ceil(waitMs / 1_000)} s` },
    );
    if (failureKind(error) !== 'transient') this.#giveUpWaiting();
    await this.#agenda.change(waitMs, this.#closing.signal);
  }

  #giveUpWaiting(): void {
    for (const { done } of this.#agenda.takeRequests()) done();
  }

  #sessionContext(): Parameters<typeof runSession>[0] {
    const { job, store, hostId, clock, logger } = this.#options;
    return {
      job,
      hostId,
      clock,
      logger,
      root: job.root,
      place: { store, bucket: job.bucket, prefix: job.prefix },
      state: this.#state,
      agenda: this.#agenda,
      tracker: this.#tracker,
      retries: this.#retries,
      excluder: this.#excluder,
      watch: (directories) => this.#watchFolders(directories),
      unwatch: (directory) => this.#watch?.removeFolder(directory),
      checkRoot: () => this.#checkRoot(),
      onPhase: (phase) => {
        this.#isScanning = phase === 'scanning';
        this.#changed();
      },
      onHeldBack: (reason) => {
        this.#heldBack = reason;
        this.#changed();
      },
      onRound: (text) => {
        this.#failures = 0;
        this.#lastRound = { at: clock.now(), text };
        this.#changed();
      },
    };
  }

  #watchFolders(directories: readonly string[]): Promise<void> {
    const { job, clock, logger } = this.#options;
    this.#watch ??= watchTree({
      root: job.root,
      excluder: this.#excluder,
      clock,
      logger,
      onHint: (path) => {
        this.#agenda.hint(path);
        this.#changed();
      },
      onOverflow: (reason) => {
        logger.warn({ job: job.name, reason }, 'watch folder: events were lost, scanning all');
        this.#agenda.fullRoundIn(0);
      },
    });
    return this.#watch.addFolders(directories);
  }

  async #stopWatching(): Promise<void> {
    const watch = this.#watch;
    this.#watch = undefined;
    await watch?.close();
  }

  /** The first root that is seen is the one; later ones must be the same. */
  #checkRoot(): void {
    const { root } = this.#options.job;
    const now = identifyRoot(root);
    const known = this.#state.meta(ROOT);
    const comparison =
      known === undefined && now ? 'same' : compareRoot(parseIdentity(known, now), now);
    if (comparison !== 'same')
      throw new MirrorError('RootMissing', `mirror ${root}: ${comparison.reason}`);
    const text = JSON.stringify(now);
    if (now && text !== known) this.#state.setMeta(ROOT, text);
  }

  #standStill(standstill: Standstill | undefined): void {
    this.#standstill = standstill;
    this.#changed();
  }

  /** Changes come by the thousand; who watches is told of the last one in each quarter of a second. */
  #changed(): void {
    if (this.#isChangeDue) return;
    this.#isChangeDue = true;
    this.#options.clock.after(CHANGE_INTERVAL_MS, () => {
      this.#isChangeDue = false;
      if (!this.#closing.signal.aborted) this.#options.onChange(this.status());
    });
  }
}

function parseIdentity(text: string | undefined, now: RootIdentity | undefined): RootIdentity {
  if (text !== undefined) return JSON.parse(text) as RootIdentity;
  return now ?? { dev: 0, ino: 0, sample: [] };
}
