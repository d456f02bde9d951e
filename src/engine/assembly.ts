/** Creates and connects the objects of one open store. `openEngine` starts the threads and timers later. */

import type { Database } from 'better-sqlite3';

import type { Grantees } from '../base/grantees.ts';
import { internalCaller } from '../object-store/caller.ts';
import { DEFAULT_QUOTAS, type Quotas } from '../object-store/rules/quota.ts';
import { BlobStore } from './blobs/blob-store.ts';
import { rememberedTime, TrustedTime } from './clock/trusted-time.ts';
import { type FileOperations, type PassPoint, passPoint, realFiles } from './disk/faults.ts';
import { MetadataDamage } from './disk/metadata-damage.ts';
import type { EngineOptions } from './engine-options.ts';
import { Lifecycle } from './lifecycle/lifecycle.ts';
import { FileComparison } from './maintenance/check-files.ts';
import { ReserveKeeper } from './maintenance/reserve-keeper.ts';
import { DEFAULT_UPKEEP, type UpkeepSettings } from './maintenance/settings.ts';
import { Sweep } from './maintenance/sweep.ts';
import { Trash } from './maintenance/trash.ts';
import { Upkeep } from './maintenance/upkeep.ts';
import type { OpenedFolder } from './open-folder.ts';
import { BucketMetricsReader } from './reads/bucket-metrics.ts';
import { ObjectLister } from './reads/list-objects.ts';
import { UploadLister } from './reads/list-uploads.ts';
import { VersionLister } from './reads/list-versions.ts';
import { MetadataReader } from './reads/metadata-reader.ts';
import type { EngineParts } from './roles/engine-parts.ts';
import { type QuotaAdmin, quotaAdmin } from './roles/quotas.ts';
import { QuotaReader } from './schema/quota-reader.ts';
import { connectReader } from './schema/schema.ts';
import { Changes } from './writes/changes.ts';
import { type RunCommand, Writer } from './writes/writer.ts';
import type { WriterOptions } from './writes/writer-messages.ts';

/** Accepts every ID as a grantee, and accepts no email address. */
const ANY_GRANTEE: Grantees = { exists: () => true, findByEmail: () => undefined };

export interface EngineAssembly {
  /** The read-only database connection of the main thread. */
  readonly database: Database;
  readonly writer: Writer;
  readonly reserveKeeper: ReserveKeeper;
  readonly upkeep: Upkeep;
  readonly sweep: Sweep;
  readonly lifecycle: Lifecycle;
  readonly metrics: BucketMetricsReader;
  readonly quotaAdmin: QuotaAdmin;
  readonly parts: EngineParts;
}

/** The values that all steps of the assembly share. */
interface Base {
  readonly options: EngineOptions;
  readonly folder: OpenedFolder;
  readonly settings: UpkeepSettings;
  readonly files: FileOperations;
  readonly passPoint: PassPoint;
}

/**
 * Creates the objects of a store whose folder is already locked and checked. Throws if the database cannot be opened or
 * read.
 */
export function assembleEngine(options: EngineOptions, folder: OpenedFolder): EngineAssembly {
  const damage = new MetadataDamage();
  const database = damage.watch(connectReader(folder.layout.metadata));
  try {
    return assembleOver(database, damage, {
      options,
      folder,
      settings: { ...DEFAULT_UPKEEP, ...options.upkeep },
      files: { ...realFiles, ...options.faults?.files },
      passPoint: passPoint(options.faults?.crash),
    });
  } catch (error) {
    database.close();
    throw error;
  }
}

function assembleOver(database: Database, damage: MetadataDamage, base: Base): EngineAssembly {
  const { options, folder, settings, files, passPoint: pass } = base;
  const { clock, logger } = options;
  const { layout, reserve } = folder;
  const quotaDefaults = { ...DEFAULT_QUOTAS, ...options.quotas };
  const reserveKeeper = new ReserveKeeper({ reserve, files, passPoint: pass, clock, logger });
  const writer = new Writer(writerOptions(base, quotaDefaults), {
    onGarbage: (garbage) => sweep.dispose(garbage),
    onCommit: () => upkeep.quarantine.afterCommit(),
    lacksRoom: (name) => (reserve.refuses(name) ? reserveKeeper.refusal() : undefined),
  });
  const blobs = new BlobStore({
    layout,
    files,
    passPoint: pass,
    logger,
    refusal: () => reserveKeeper.refusal(),
    onFailure: (failure) => writer.refuse(failure),
    onUnread: (file) => sweep.dispose([file]),
  });
  const trustedTime = new TrustedTime({
    clock,
    uptime: options.uptime ?? (() => undefined),
    maxJumpMs: settings.maxClockJumpMs,
    remembered: rememberedTime(database),
  });
  const changes = new Changes();
  const run = engineCommands({ writer, changes, clock, trustedTime });
  const core = { database, writer, blobs, trustedTime, run };
  const { upkeep, sweep } = assembleMaintenance(base, { ...core, damage, reserveKeeper });
  const reader = new MetadataReader(database, settings.lifecycleDayMs);
  const quotas = new QuotaReader(database, quotaDefaults);
  return {
    database,
    writer,
    reserveKeeper,
    upkeep,
    sweep,
    lifecycle: new Lifecycle({ ...core, clock, logger, dayMs: settings.lifecycleDayMs }),
    metrics: new BucketMetricsReader(database),
    quotaAdmin: quotaAdmin(reader, quotas, run),
    parts: {
      ...listersOf(reader),
      trustedTime,
      reportDamage: (blobId) => upkeep.quarantine.reportDamage(blobId),
      reader,
      writer,
      blobs,
      changes,
      clock,
      logger,
      region: options.region,
      quotas,
      grantees: options.grantees ?? ANY_GRANTEE,
    },
  };
}

function writerOptions({ options, folder, settings }: Base, quotas: Quotas): WriterOptions {
  const { crash, maxMetadataPages } = options.faults ?? {};
  return {
    metadata: folder.layout.metadata,
    quotas,
    reserve: folder.reserve.shared,
    crash,
    maxMetadataPages,
    lifecycleDayMs: settings.lifecycleDayMs,
  };
}

interface Maintained {
  readonly database: Database;
  readonly damage: MetadataDamage;
  readonly writer: Writer;
  readonly blobs: BlobStore;
  readonly trustedTime: TrustedTime;
  readonly reserveKeeper: ReserveKeeper;
  readonly run: RunCommand;
}

function assembleMaintenance(
  { options, folder: { layout }, settings, files, passPoint: pass }: Base,
  { database, damage, writer, blobs, trustedTime, reserveKeeper, run }: Maintained,
): Pick<EngineAssembly, 'upkeep' | 'sweep'> {
  const { clock, logger } = options;
  const comparison = new FileComparison({ layout, files, blobs, database });
  const trash = new Trash({ layout, files, now: () => trustedTime.read().trustedNow });
  const disk = { layout, blobs, comparison, trash };
  const refusal = () => writer.refusal;
  const upkeep = new Upkeep({
    ...disk,
    database,
    clock,
    logger,
    run,
    refusal,
    damage,
    lacksRoom: () => reserveKeeper.refusal() !== undefined,
    sweep: () => sweep.run(),
    trustedTime,
    scrubSettings: { everyMs: settings.scrubEveryMs, bytesPerSecond: settings.scrubBytesPerSecond },
  });
  const { quarantine } = upkeep;
  const sweep = new Sweep({ ...disk, files, passPoint: pass, run, refusal, quarantine, logger });
  return { upkeep, sweep };
}

function listersOf(reader: MetadataReader): Pick<EngineParts, 'objects' | 'versions' | 'uploads'> {
  return {
    objects: new ObjectLister(reader),
    versions: new VersionLister(reader),
    uploads: new UploadLister(reader),
  };
}

/** Returns a function that runs commands with the permissions of the engine itself. */
function engineCommands({
  writer,
  changes,
  clock,
  trustedTime,
}: Pick<EngineParts, 'writer' | 'changes' | 'clock' | 'trustedTime'>): RunCommand {
  return async (name, request) => {
    const now = clock.now();
    const caller = internalCaller({ kind: 'anonymous' }, now);
    const result = await writer.run(name, request, { caller, now, ...trustedTime.read() });
    changes.committed(name, { request, result });
    return result;
  };
}
