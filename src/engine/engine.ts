/** Opens a store with the local storage engine. The engine returns an `ObjectStore` for each caller. */

import type { BrowserConfig } from '../object-store/browser-config.ts';
import type { Caller } from '../object-store/caller.ts';
import type { ChangeMonitor } from '../object-store/change-monitor.ts';
import type { DamageMonitor } from '../object-store/damage.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { RequestAccess } from '../object-store/request-access.ts';
import { assembleEngine, type EngineAssembly } from './assembly.ts';
import { whyNotOpened } from './disk/open-error.ts';
import type { StoreLock } from './disk/store-lock.ts';
import type { EngineOptions } from './engine-options.ts';
import type { StoreLifecycle } from './lifecycle/lifecycle.ts';
import type { SweepReport } from './maintenance/sweep.ts';
import type { StoreUpkeep } from './maintenance/upkeep.ts';
import { openFolder } from './open-folder.ts';
import { browserConfig } from './reads/browser-config.ts';
import type { BucketMetricsReader } from './reads/bucket-metrics.ts';
import { CallerContext } from './roles/caller-context.ts';
import { CallerStore } from './roles/caller-store.ts';
import {
  type AccessExplanation,
  type AccessInquiry,
  explainAccess,
} from './roles/explain-access.ts';
import type { QuotaAdmin } from './roles/quotas.ts';
import { CallerRequestAccess } from './roles/request-access.ts';

export interface WatchedStore {
  readonly store: ObjectStore;
  readonly changes: ChangeMonitor;
}

export interface Engine {
  /** Returns the store for one caller. Each operation is checked against the caller's permissions. */
  as(caller: Caller): ObjectStore;
  /**
   * Returns the store for one caller, and a monitor that reports all changes except those that this caller makes
   * through the returned store.
   */
  watched(caller: Caller): WatchedStore;
  /**
   * Returns an object that checks the caller's permissions before the XML or JSON document in a request body is read.
   */
  accessOf(caller: Caller): RequestAccess;
  readonly browserConfig: BrowserConfig;
  /** Returns the cached ID of a bucket, or undefined if the bucket does not exist. A bucket ID is never reused. */
  bucketId(bucket: string): number | undefined;
  /**
   * Explains to an administrator whether a request would be allowed, and which rule decides. Throws `NoSuchBucket` if the
   * bucket does not exist.
   */
  explainAccess(inquiry: AccessInquiry): AccessExplanation;
  readonly upkeep: StoreUpkeep;
  /** Reports the versions that are known to be damaged. */
  readonly damage: DamageMonitor;
  readonly quotas: QuotaAdmin;
  readonly lifecycle: StoreLifecycle;
  readonly metrics: BucketMetricsReader;
  /** Returns the number of queued write commands. */
  waitingWrites(): number;
  /**
   * Deletes files that crashes left, and reports damaged blobs. Runs once after the store is opened, unless the store
   * is passive.
   */
  sweep(): Promise<SweepReport>;
  /** Commits all queued writes, then closes the store and releases its lock. */
  close(): Promise<void>;
}

/**
 * Opens a store, starts its writer thread and, unless `passive` is set, its background work. Throws `OpenStoreError` if
 * the store is in use or damaged, if its format is unknown to this version of Holdfast, or if the disk is full or
 * read-only.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const folder = openFolder(options);
  try {
    const engine = new LocalEngine(assembleEngine(options, folder), folder.lock);
    engine.start(options.passive);
    return engine;
  } catch (error) {
    folder.lock.release();
    throw whyNotOpened(options.dir, error);
  }
}

class LocalEngine implements Engine {
  readonly #assembly: EngineAssembly;
  readonly #lock: StoreLock;

  constructor(assembly: EngineAssembly, lock: StoreLock) {
    this.#assembly = assembly;
    this.#lock = lock;
  }

  /** Starts the writer thread and, unless the store is passive, all background work. */
  start(passive = false): void {
    const { writer, sweep, upkeep, reserveKeeper, lifecycle } = this.#assembly;
    writer.start();
    if (passive) return;
    sweep.start();
    upkeep.start();
    reserveKeeper.start();
    lifecycle.start();
  }

  get metrics(): BucketMetricsReader {
    return this.#assembly.metrics;
  }

  get lifecycle(): StoreLifecycle {
    return this.#assembly.lifecycle;
  }

  get quotas(): QuotaAdmin {
    return this.#assembly.quotaAdmin;
  }

  get upkeep(): StoreUpkeep {
    return this.#assembly.upkeep;
  }

  get damage(): DamageMonitor {
    return this.#assembly.upkeep.quarantine;
  }

  get browserConfig(): BrowserConfig {
    return browserConfig(this.#assembly.parts.reader);
  }

  bucketId(bucket: string): number | undefined {
    return this.#assembly.parts.reader.buckets.bucketId(bucket);
  }

  waitingWrites(): number {
    return this.#assembly.writer.waiting;
  }

  as(caller: Caller): ObjectStore {
    return new CallerStore(this.#contextOf(caller));
  }

  watched(caller: Caller): WatchedStore {
    const context = this.#contextOf(caller);
    const changes = this.#assembly.parts.changes.beside(context);
    return { store: new CallerStore(context), changes };
  }

  accessOf(caller: Caller): RequestAccess {
    return new CallerRequestAccess(this.#contextOf(caller));
  }

  explainAccess(inquiry: AccessInquiry): AccessExplanation {
    return explainAccess(this.#assembly.parts.reader, inquiry);
  }

  sweep(): Promise<SweepReport> {
    return this.#assembly.sweep.run();
  }

  async close(): Promise<void> {
    const { sweep, lifecycle, upkeep, reserveKeeper, database, writer, parts } = this.#assembly;
    await sweep.stop();
    await lifecycle.stop();
    await upkeep.close();
    await reserveKeeper.close();
    // SQLite copies the write-ahead log into the database when the last connection closes. The writer's connection must
    // be the last one.
    database.close();
    await writer.close();
    await parts.blobs.hashThread.close();
    this.#lock.release();
  }

  #contextOf(caller: Caller): CallerContext {
    return new CallerContext(this.#assembly.parts, caller);
  }
}
