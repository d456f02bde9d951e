/** Reads and sets quotas for the store's administrator. Other callers read quotas with `headBucket`. */

import type { ProjectNames } from '../../base/principal.ts';
import type { BucketUsage } from '../../object-store/buckets.ts';
import type { BucketQuota } from '../../object-store/rules/quota.ts';
import type { MetadataReader } from '../reads/metadata-reader.ts';
import { existingBucket } from '../reads/read-object.ts';
import type { QuotaReader, StoredBucketQuota } from '../schema/quota-reader.ts';
import type { RunCommand } from '../writes/writer.ts';

export interface BucketQuotaState {
  readonly quota: BucketQuota;
  /** The quota values that were set for this bucket; null where the default applies. */
  readonly set: StoredBucketQuota;
  readonly usage: BucketUsage;
}

export interface ProjectQuotaState {
  /** The maximum number of buckets of the project. */
  readonly buckets: number;
  readonly isSet: boolean;
  /** The current number of buckets of the project. */
  readonly used: number;
}

/** Reads and sets quotas. A changed quota applies to later writes. Existing objects and buckets are kept. */
export interface QuotaAdmin {
  /** Returns a bucket's quota and usage. Rejects with `NoSuchBucket`. */
  ofBucket(bucket: string): Promise<BucketQuotaState>;
  /**
   * Sets a bucket's quota and returns the new state. An absent value is not changed; null restores the default. Rejects
   * with `NoSuchBucket`.
   */
  setOfBucket(bucket: string, change: Partial<StoredBucketQuota>): Promise<BucketQuotaState>;
  ofProject(project: ProjectNames): Promise<ProjectQuotaState>;
  /** Sets a project's maximum number of buckets and returns the new state. Null restores the default. */
  setOfProject(project: ProjectNames, buckets: number | null): Promise<ProjectQuotaState>;
}

export function quotaAdmin(
  reader: MetadataReader,
  quotas: QuotaReader,
  run: RunCommand,
): QuotaAdmin {
  const admin: QuotaAdmin = {
    ofBucket: async (name) => {
      const { bucketId } = existingBucket(reader, name);
      return {
        quota: quotas.ofBucket(bucketId),
        set: quotas.setOfBucket(bucketId),
        usage: reader.usage(bucketId) ?? { objects: 0, sizeBytes: 0 },
      };
    },
    setOfBucket: async (name, change) => {
      const { set } = await admin.ofBucket(name);
      await run('putBucketQuota', { bucket: name, quota: { ...set, ...change } });
      return admin.ofBucket(name);
    },
    ofProject: async (project) => ({
      buckets: quotas.ofProject(project),
      isSet: quotas.setOfProject(project) !== undefined,
      used: quotas.countBuckets(project),
    }),
    setOfProject: async (project, buckets) => {
      await run('putProjectQuota', { ...project, buckets: buckets ?? undefined });
      return admin.ofProject(project);
    },
  };
  return admin;
}
