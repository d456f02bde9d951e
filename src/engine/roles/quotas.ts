/** Reads and sets quotas for the administrator of a store. Other callers read them with `headBucket`. */

import type { ProjectNames } from '../../base/principal.ts';
import type { BucketUsage } from '../../object-store/buckets.ts';
import type { BucketQuota } from '../../object-store/rules/quota.ts';
import type { MetadataReader } from '../reads/metadata-reader.ts';
import { existingBucket } from '../reads/read-object.ts';
import type { QuotaReader, StoredBucketQuota } from '../schema/quota-reader.ts';
import type { RunCommand } from '../writes/writer.ts';

export interface BucketQuotaState {
  readonly quota: BucketQuota;
  /** The values that were set for this bucket. Null where the default applies. */
  readonly set: StoredBucketQuota;
  readonly usage: BucketUsage;
}

export interface ProjectQuotaState {
  /** Maximum number of buckets of the project. */
  readonly buckets: number;
  readonly isSet: boolean;
  /** Number of buckets of the project. */
  readonly used: number;
}

/** Reads and sets quotas. A change applies from the next write on. Existing objects and buckets remain. */
export interface QuotaAdmin {
  /** Returns the quota and the usage of a bucket. Rejects with `NoSuchBucket`. */
  ofBucket(bucket: string): Promise<BucketQuotaState>;
  /**
   * Sets the quota of a bucket and returns its new state. An absent value remains unchanged; null sets the default. Rejects
   * with `NoSuchBucket`.
   */
  setOfBucket(bucket: string, change: Partial<StoredBucketQuota>): Promise<BucketQuotaState>;
  ofProject(project: ProjectNames): Promise<ProjectQuotaState>;
  /** Sets the maximum number of buckets of a project and returns its new state. Null sets the default. */
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
