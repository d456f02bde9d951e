/** Defines the components of an open store that its roles use. */

import type { Clock } from '../../base/clock.ts';
import type { Grantees } from '../../base/grantees.ts';
import type { Logger } from '../../base/logger.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Changes } from '../writes/changes.ts';
import type { ObjectLister } from '../reads/list-objects.ts';
import type { UploadLister } from '../reads/list-uploads.ts';
import type { VersionLister } from '../reads/list-versions.ts';
import type { MetadataReader } from '../reads/metadata-reader.ts';
import type { QuotaReader } from '../schema/quota-reader.ts';
import type { TrustedTime } from '../clock/trusted-time.ts';
import type { Writer } from '../writes/writer.ts';

/** The components of one open store, which all callers share. */
export interface EngineParts {
  readonly reader: MetadataReader;
  readonly objects: ObjectLister;
  readonly versions: VersionLister;
  readonly uploads: UploadLister;
  readonly writer: Writer;
  readonly blobs: BlobStore;
  readonly changes: Changes;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly trustedTime: TrustedTime;
  /** Called with the ID of a blob that a reader found damaged. */
  readonly reportDamage: (blobId: number) => void;
  readonly region: string;
  readonly quotas: QuotaReader;
  readonly grantees: Grantees;
}
