/** Opens all tables that commands change, with the writer's database connection. */

import type { Database } from 'better-sqlite3';

import type { Quotas } from '../../../object-store/rules/quota.ts';
import { BlobTable } from './blob-table.ts';
import { BucketConfigTable } from './bucket-config-table.ts';
import { BucketTable } from './bucket-table.ts';
import { ClockDoubts } from './clock-doubts.ts';
import { LifecycleTable } from './lifecycle-table.ts';
import { QuotaTable } from './quota-table.ts';
import { Sequence } from './sequence.ts';
import { UpkeepTable } from './upkeep-table.ts';
import { UploadTable } from './upload-table.ts';
import { VersionTable } from './version-table.ts';

export interface WriteTables {
  readonly sequence: Sequence;
  readonly buckets: BucketTable;
  readonly configs: BucketConfigTable;
  readonly quotas: QuotaTable;
  readonly versions: VersionTable;
  readonly clockDoubts: ClockDoubts;
  readonly blobs: BlobTable;
  readonly uploads: UploadTable;
  readonly upkeep: UpkeepTable;
  readonly lifecycle: LifecycleTable;
}

export interface TableSettings {
  readonly quotas: Quotas;
  /** The length of a day; see `lifecycleDayMs` of `UpkeepSettings`. */
  readonly lifecycleDayMs?: number | undefined;
}

export function writeTables(
  database: Database,
  { quotas, lifecycleDayMs }: TableSettings,
): WriteTables {
  const sequence = new Sequence(database);
  return {
    sequence,
    buckets: new BucketTable(database),
    configs: new BucketConfigTable(database),
    quotas: new QuotaTable(database, quotas),
    versions: new VersionTable(database),
    clockDoubts: new ClockDoubts(database),
    blobs: new BlobTable(database, sequence),
    uploads: new UploadTable(database),
    upkeep: new UpkeepTable(database),
    lifecycle: new LifecycleTable(database, lifecycleDayMs),
  };
}
