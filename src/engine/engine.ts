/** The door of the local storage engine: opens a store, and gives it to callers. */

import type { Database } from 'better-sqlite3';

import type { Clock } from '../base/clock.ts';
import { errorMessage } from '../base/errors.ts';
import type { Grantees } from '../base/grantees.ts';
import type { Logger } from '../base/logger.ts';
import type { BrowserConfig } from '../object-store/browser-config.ts';
import { type Caller, internalCaller } from '../object-store/caller.ts';
import type { ChangeMonitor } from '../object-store/change-monitor.ts';
import type { DamageMonitor } from '../object-store/damage.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { RequestAccess } from '../object-store/request-access.ts';
import { DEFAULT_QUOTAS, type Quotas } from '../object-store/rules/quota.ts';
import { BlobStore } from './blobs/blob-store.ts';
import { CallerContext } from './roles/caller-context.ts';
import { CallerStore } from './roles/caller-store.ts';
import { CallerRequestAccess } from './roles/request-access.ts';
import { BucketMetricsReader } from './reads/bucket-metrics.ts';
import { browserConfig } from './reads/browser-config.ts';
import { Changes } from './writes/changes.ts';
import type { EngineParts } from './roles/engine-parts.ts';
import {
  type AccessExplanation,
  type AccessInquiry,
  explainAccess,
} from './roles/explain-access.ts';
import { type Faults, passPoint, realFiles } from './disk/faults.ts';
import { Lifecycle, type StoreLifecycle } from './lifecycle/lifecycle.ts';
import { ObjectLister } from './reads/list-objects.ts';
import { UploadLister } from './reads/list-uploads.ts';
import { VersionLister } from './reads/list-versions.ts';
import { MetadataReader } from './reads/metadata-reader.ts';
import { MetadataDamage } from './disk/metadata-damage.ts';
import { connectReader } from './schema/schema.ts';
import type { StoreLock } from './disk/store-lock.ts';
import { type OpenedFolder, openFolder } from './open-folder.ts';
import { whyNotOpened } from './disk/open-error.ts';
import { type QuotaAdmin, quotaAdmin } from './roles/quotas.ts';
import { Sweep, type SweepReport } from './maintenance/sweep.ts';
import { QuotaReader } from './schema/quota-reader.ts';
import { FileComparison } from './maintenance/check-files.ts';
import { ReserveKeeper } from './maintenance/reserve-keeper.ts';
import { DEFAULT_UPKEEP, type UpkeepSettings } from './maintenance/settings.ts';
import { Trash } from './maintenance/trash.ts';
import { rememberedTime, TrustedTime } from './clock/trusted-time.ts';
import { type StoreUpkeep, Upkeep } from './maintenance/upkeep.ts';
import type { ReadUptime } from './clock/uptime.ts';
import { type RunCommand, Writer } from './writes/writer.ts';

const ANYBODY: Grantees = { exists: () => true, findByEmail: () => undefined };

export interface EngineOptions {
  /** The store's folder; made when it is missing. */
  readonly dir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly region: string;
  /** What holds where nothing else is set; what is absent is the specification's. */
  readonly quotas?: Partial<Quotas>;
  /** Whom lists and policies may name. Absent: whoever has a well-formed id. */
  readonly grantees?: Grantees;
  /** How the store cares for itself; what is absent has its default. */
  readonly upkeep?: Partial<UpkeepSettings>;
  /** The database is taken for the right one although it was exchanged. */
  readonly acceptMetadata?: boolean;
  /** Vouches for time that passes while the machine sleeps, or nothing runs. Absent: nothing does. */
  readonly uptime?: ReadUptime;
  /** Nothing happens by itself: no sweep, no scrub, no lifecycle. For a repair. */
  readonly passive?: boolean;
  /** For fault tests only. */
  readonly faults?: Faults;
}

export interface WatchedStore {
  readonly store: ObjectStore;
  readonly changes: ChangeMonitor;
}

export interface Engine {
  /** A store bound to one caller: every call is checked against what that caller may do. */
  as(caller: Caller): ObjectStore;
  /** The same, with a monitor of the changes that are not made through this very store. */
  watched(caller: Caller): WatchedStore;
  /** What that caller could be allowed, for requests whose documents are still to be read. */
  accessOf(caller: Caller): RequestAccess;
  readonly browserConfig: BrowserConfig;
  /** Whether somebody would be allowed something, and what decides: for an administrator. Throws `NoSuchBucket`. */
  explainAccess(inquiry: AccessInquiry): AccessExplanation;
  readonly upkeep: StoreUpkeep;
  /** Which versions are known to be damaged. */
  readonly damage: DamageMonitor;
  readonly quotas: QuotaAdmin;
  readonly lifecycle: StoreLifecycle;
  readonly metrics: BucketMetricsReader;
  /** Writes that wait for the disk. */
  waitingWrites(): number;
  /** Removes what crashes left behind, and reports what is damaged. Runs once by itself after opening. */
  sweep(): Promise<SweepReport>;
  /** Commits what was asked for before, then frees the store. */
  close(): Promise<void>;
}

/** Throws `OpenStoreError` when the store is in use, is of a format that this version does not know, or has no room. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const folder = openFolder(options);
  try {
    return new LocalEngine(options, folder);
  } catch (error) {
    folder.lock.release();
    throw whyNotOpened(options.dir, error);
  }
}

class LocalEngine implements Engine {
  readonly metrics: BucketMetricsReader;
  readonly lifecycle: Lifecycle;
  readonly quotas: QuotaAdmin;
  readonly #options: EngineOptions;
  readonly #lock: StoreLock;
  readonly #database: Database;
  readonly #writer: Writer;
  readonly #blobs: BlobStore;
  readonly #reserveKeeper: ReserveKeeper;
  readonly #sweeper: Sweep;
  readonly #trustedTime: TrustedTime;
  readonly #upkeep: Upkeep;
  readonly #changes = new Changes();
  readonly #parts: EngineParts;
  #sweeping: Promise<unknown> = Promise.resolve();

  constructor(options: EngineOptions, { layout, lock, reserve }: OpenedFolder) {
    const { clock, logger, region, faults } = options;
    const defaults = { ...DEFAULT_QUOTAS, ...options.quotas };
    const { grantees = ANYBODY } = options;
    const files = { ...realFiles, ...faults?.files };
    const pass = passPoint(faults?.crash);
    this.#options = options;
    this.#lock = lock;
    const damage = new MetadataDamage();
    this.#database = damage.watch(connectReader(layout.metadata));
    this.metrics = new BucketMetricsReader(this.#database);
    const keeper = new ReserveKeeper({ reserve, files, passPoint: pass, clock, logger });
    this.#reserveKeeper = keeper;
    const { crash, maxMetadataPages } = faults ?? {};
    const shared = { metadata: layout.metadata, quotas: defaults, reserve: reserve.shared };
    const settings = { ...DEFAULT_UPKEEP, ...options.upkeep };
    const { lifecycleDayMs } = settings;
    this.#writer = new Writer(
      { ...shared, crash, maxMetadataPages, lifecycleDayMs },
      {
        onGarbage: (garbage) => this.#dispose(garbage),
        onCommit: () => this.#upkeep.quarantine.afterCommit(),
        lacksRoom: (name) => (reserve.refuses(name) ? keeper.refusal() : undefined),
      },
    );
    this.#blobs = new BlobStore({
      layout,
      files,
      passPoint: pass,
      logger,
      refusal: () => keeper.refusal(),
      onFailure: (failure) => this.#writer.refuse(failure),
      onUnread: (file) => this.#dispose([file]),
    });
    const reader = new MetadataReader(this.#database, lifecycleDayMs);
    const [writer, blobs] = [this.#writer, this.#blobs];
    const quotas = new QuotaReader(this.#database, defaults);
    this.quotas = quotaAdmin(reader, quotas, (name, request) => this.#run(name, request));
    this.#trustedTime = new TrustedTime({
      clock,
      uptime: options.uptime ?? (() => undefined),
      maxJumpMs: settings.maxClockJumpMs,
      remembered: rememberedTime(this.#database),
    });
    const { database } = reader;
    const comparison = new FileComparison({ layout, files, blobs, database });
    const trash = new Trash({ layout, files, now: () => this.#trustedTime.read().trustedNow });
    const disk = { layout, blobs, comparison, trash };
    this.#upkeep = new Upkeep({
      ...disk,
      database,
      clock,
      logger,
      run: (name, request) => this.#run(name, request),
      refusal: () => this.#writer.refusal,
      damage,
      lacksRoom: () => keeper.refusal() !== undefined,
      sweep: () => this.sweep(),
      trustedTime: this.#trustedTime,
      scrubSettings: {
        everyMs: settings.scrubEveryMs,
        bytesPerSecond: settings.scrubBytesPerSecond,
      },
    });
    this.lifecycle = new Lifecycle({
      database,
      clock,
      logger,
      run: (name, request) => this.#run(name, request),
      trustedTime: this.#trustedTime,
      dayMs: lifecycleDayMs,
    });
    this.#parts = {
      trustedTime: this.#trustedTime,
      suspect: (blobId) => this.#upkeep.quarantine.suspect(blobId),
      reader,
      writer,
      blobs,
      changes: this.#changes,
      clock,
      logger,
      region,
      quotas,
      grantees,
      objects: new ObjectLister(reader),
      versions: new VersionLister(reader),
      uploads: new UploadLister(reader),
    };
    this.#sweeper = new Sweep({
      ...disk,
      files,
      passPoint: pass,
      collect: (garbage) => this.#collect(garbage),
      inspect: (blobId) => this.#upkeep.quarantine.inspect(blobId, async () => undefined),
      inspectAgain: (pace) => this.#upkeep.quarantine.inspectAgain(pace),
      damaged: () => this.#upkeep.listDamage(),
    });
    if (options.passive) return;
    this.sweep().catch((error: unknown) => this.#complain(error, 'sweep store'));
    this.#upkeep.start();
    keeper.start();
    this.lifecycle.start();
  }

  get upkeep(): StoreUpkeep {
    return this.#upkeep;
  }

  get damage(): DamageMonitor {
    return this.#upkeep.quarantine;
  }

  get browserConfig(): BrowserConfig {
    return browserConfig(this.#parts.reader);
  }

  waitingWrites(): number {
    return this.#writer.waiting;
  }

  as(caller: Caller): ObjectStore {
    return new CallerStore(new CallerContext(this.#parts, caller));
  }

  watched(caller: Caller): WatchedStore {
    const context = new CallerContext(this.#parts, caller);
    return { store: new CallerStore(context), changes: this.#changes.beside(context) };
  }

  accessOf(caller: Caller): RequestAccess {
    return new CallerRequestAccess(new CallerContext(this.#parts, caller));
  }

  explainAccess(inquiry: AccessInquiry): AccessExplanation {
    return explainAccess(this.#parts.reader, inquiry);
  }

  /** One after the other: two at once would count the same orphans. */
  async sweep(): Promise<SweepReport> {
    const sweep = this.#sweeping.then(() => this.#sweeper.run());
    this.#sweeping = sweep.catch(() => undefined);
    const report = await sweep;
    this.#tell(report);
    return report;
  }

  async close(): Promise<void> {
    this.#sweeper.stop();
    await this.#sweeping;
    await this.lifecycle.stop();
    await this.#upkeep.close();
    await this.#reserveKeeper.close();
    // The writer last: whoever leaves last moves the log into the database and removes it.
    this.#database.close();
    await this.#writer.close();
    this.#lock.release();
  }

  /** The commit that made them garbage is through; nobody waits for this. */
  #dispose(garbage: readonly string[]): void {
    this.#collect(garbage).catch((error: unknown) => this.#complain(error, 'remove blob files'));
  }

  /** First the files, then their entries: what a crash leaves in between, the next sweep does again. */
  async #collect(garbage: readonly string[]): Promise<void> {
    const gone = await this.#blobs.remove(garbage);
    if (gone.length === 0 || this.#writer.refusal) return;
    await this.#run('forgetGarbage', { files: gone });
  }

  /** In the engine's own name. */
  #run: RunCommand = async (name, request) => {
    const { clock } = this.#options;
    const now = clock.now();
    const caller = internalCaller({ kind: 'anonymous' }, now);
    const context = { caller, now, ...this.#trustedTime.read() };
    const result = await this.#writer.run(name, request, context);
    this.#changes.committed(name, { request, result });
    return result;
  };

  #tell({ temporaryFiles, orphans, garbage, restored, emptied }: SweepReport): void {
    const { logger, dir } = this.#options;
    const did = { temporaryFiles, orphans, garbage, restored, emptied };
    const didSome = Object.values(did).some((count) => count > 0);
    if (didSome) logger.info({ dir, ...did }, 'sweep store: cleared what was left behind');
  }

  #complain(error: unknown, action: string): void {
    const { logger, dir } = this.#options;
    logger.error(
      { dir, reason: errorMessage(error) },
      `${action}: failed, the next sweep tries again`,
    );
  }
}
