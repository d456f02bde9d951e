/** All that a command may change, over the writer's connection. */

import type { Database } from 'better-sqlite3';

import { BlobTable } from './blob-table.ts';
import { BucketConfigTable } from './bucket-config-table.ts';
import { BucketTable } from './bucket-table.ts';
import { LifecycleTable } from './lifecycle-table.ts';
import { Sequence } from './sequence.ts';
import { UpkeepTable } from './upkeep-table.ts';
import { UploadTable } from './upload-table.ts';
import { VersionTable } from './version-table.ts';

export interface WriteTables {
  readonly sequence: Sequence;
  readonly buckets: BucketTable;
  readonly configs: BucketConfigTable;
  readonly versions: VersionTable;
  readonly blobs: BlobTable;
  readonly uploads: UploadTable;
  readonly upkeep: UpkeepTable;
  readonly lifecycle: LifecycleTable;
}

export function writeTables(database: Database): WriteTables {
  const sequence = new Sequence(database);
  return {
    sequence,
    buckets: new BucketTable(database),
    configs: new BucketConfigTable(database),
    versions: new VersionTable(database),
    blobs: new BlobTable(database, sequence),
    uploads: new UploadTable(database),
    upkeep: new UpkeepTable(database),
    lifecycle: new LifecycleTable(database),
  };
}
