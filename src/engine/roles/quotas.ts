/** What whoever runs a store may say of the quotas in it. Who only uses it is told by `headBucket`. */

import type { ProjectNames } from '../../base/principal.ts';
import type { BucketUsage } from '../../object-store/buckets.ts';
import type { BucketQuota } from '../../object-store/rules/quota.ts';
import type { MetadataReader } from '../reads/metadata-reader.ts';
import { existingBucket } from '../reads/read-object.ts';
import type { QuotaReader, StoredBucketQuota } from '../schema/quota-reader.ts';
import type { RunCommand } from '../writes/writer.ts';

export interface BucketQuotaState {
  readonly quota: BucketQuota;
  /** Of those, what was set for this bucket; null where the default holds. */
  readonly set: StoredBucketQuota;
  readonly usage: BucketUsage;
}

export interface ProjectQuotaState {
  /** How many buckets the project may have. */
  readonly buckets: number;
  readonly isSet: boolean;
  /** How many it has. */
  readonly used: number;
}

/** All changes hold from the next write on, and take nothing away that is there. */
export interface QuotaAdmin {
  /** Rejects with `NoSuchBucket`. */
  ofBucket(bucket: string): Promise<BucketQuotaState>;
  /** What is absent stays as it is; null for the default. Rejects with `NoSuchBucket`. */
  setOfBucket(bucket: string, change: Partial<StoredBucketQuota>): Promise<BucketQuotaState>;
  ofProject(project: ProjectNames): Promise<ProjectQuotaState>;
  /** Null for the default. */
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
