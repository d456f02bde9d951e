/** What the daemon is made of, as its parts may use it: `compose` opens all of it. */

import type { Placement } from '../src/control/protection.ts';
import type { UserNames, UserPrincipal } from '../src/base/principal.ts';
import type { JobConfig, TargetConfig } from '../src/config/config.ts';
import type { SignedClient } from '../src/client/signed-client.ts';
import type { Credentials } from '../src/config/credentials.ts';
import type { Engine } from '../src/engine/engine.ts';
import type { BucketMetricsReader } from '../src/engine/reads/bucket-metrics.ts';
import type { QuotaAdmin } from '../src/engine/roles/quotas.ts';
import type { StoreLifecycle } from '../src/engine/lifecycle/lifecycle.ts';
import type { StoreUpkeep } from '../src/engine/maintenance/upkeep.ts';
import type { SqliteIdentity } from '../src/identity/sqlite-identity.ts';
import type { Mirror, MirrorOptions } from '../src/mirror/mirror.ts';
import type { Monitoring } from '../src/monitoring/monitoring.ts';
import type { ChangeMonitor } from '../src/object-store/change-monitor.ts';
import type { MirrorStore } from '../src/object-store/mirror-store.ts';
import type { ObjectReader, ObjectStore } from '../src/object-store/object-store.ts';
import type { ClusterRooms } from './compose-clusters.ts';
import type { Links } from './links.ts';
import type { RequestCounter } from './request-counter.ts';
import type { StorageGateway } from './storage-gateway.ts';
import type { TargetKeys } from './target-keys.ts';

export interface Rooms {
  readonly store: ObjectStore;
  /** Of the embedded store as a whole. */
  readonly upkeep: StoreUpkeep;
  /** What its buckets hold. */
  readonly metrics: BucketMetricsReader;
  readonly monitoring: Monitoring;
  readonly lifecycle: StoreLifecycle;
  /** Node groups of container clusters. */
  readonly clusters: ClusterRooms;
  readonly requests: RequestCounter;
  /** Writes to it that wait for the disk. */
  waitingWrites(): number;
  /** Users and access keys of the embedded store, which other tools sign with; jobs need none. */
  readonly identity: Omit<SqliteIdentity, 'close' | 'ensureFirstUser'>;
  /** Names of the buckets of the embedded store that a user owns. */
  bucketsOf(user: UserNames): Promise<readonly string[]>;
  readonly explainAccess: Engine['explainAccess'];
  /** What projects and buckets of the embedded store may hold. */
  readonly quotas: QuotaAdmin;
  /** Download links of the embedded store. */
  readonly links: Links;
  /** The user that jobs and the command line act for. */
  readonly principal: UserPrincipal;
  /** Names this installation in the claims of its jobs. */
  readonly hostId: string;
  readonly storage: StorageGateway;
  /** The embedded store as it is for everyone. */
  readonly publicStore: ObjectReader;
  /**
   * The store that a job's target names; the same object as long as target and credentials are the same.
   * Throws ConfigError when the credentials cannot be read, or there is no way to it.
   */
  storeOf(target: TargetConfig | undefined): ObjectStore;
  /** Where the target's buckets are, seen from the folder of a job. */
  placementOf(folder: string, target: TargetConfig | undefined): Placement;
  /** A store of the same service for one job alone; where it reports changes, not those that are made through it. */
  jobStore(target: TargetConfig | undefined): JobStore;
  /** The same of a remote service, as the client that it is. */
  clientOf(target: TargetConfig): SignedClient;
  /** Which key a target is used with, and whom the service takes its holder for, where it tells. Rejects as `checkTarget`. */
  whoIsAt(target: TargetConfig): Promise<{ readonly accessKeyId: string; readonly owner?: string }>;
  /** As it is configured, or as the first contact found it; undefined before. */
  protocolOf(target: TargetConfig): TargetConfig['protocol'];
  readonly keys: TargetKeys;
  /** `heard` is called whenever a service refuses the key of a target. */
  onKeyRefused(heard: () => void): void;
  /**
   * Rejects if the service does not answer or refuses these credentials. They are tried with `place` if that is given, else
   * by a list of all buckets. Returns whether the bucket of `place` exists.
   */
  checkTarget(
    target: TargetEndpoint,
    credentials: Credentials,
    place?: BucketPlace,
  ): Promise<boolean | undefined>;
  openJob(job: OpenedJob, hooks: JobHooks): Promise<Mirror>;
  close(): Promise<void>;
}

/** A bucket and a prefix, which is empty or ends in `/`. */
export type BucketPlace = Pick<JobConfig, 'bucket' | 'prefix'>;

/** A target but for where its secret lies. */
export type TargetEndpoint = Omit<TargetConfig, 'credentials'>;

export interface JobStore extends Pick<OpenedJob, 'changes'> {
  readonly store: ObjectStore;
}

export interface OpenedJob {
  readonly config: JobConfig;
  /** Absent for the embedded store. */
  readonly target: TargetConfig | undefined;
  /** What all jobs with its target share. */
  readonly service: ObjectStore;
  /** Of its objects: where the job has a key of its own, they are read and written under it. */
  readonly store: MirrorStore;
  /** Reports changes that are not made through `store`; absent for a remote service. */
  readonly changes?: ChangeMonitor;
  readonly keyCheck?: string;
  readonly earlierChecks?: readonly string[];
}

export type JobHooks = Pick<
  MirrorOptions,
  'onChange' | 'onActivity' | 'onStateDamaged' | 'provenDays'
>;
