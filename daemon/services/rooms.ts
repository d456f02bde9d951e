/** Defines the services that the parts of the daemon share. `compose` opens these services. */

import type { Placement } from '../../src/control/protection.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { UserNames, UserPrincipal } from '../../src/base/principal.ts';
import type { Config, JobConfig, TargetConfig } from '../../src/config/config.ts';
import type { SignedClient } from '../../src/client/signed-client.ts';
import type { ClusterService } from '../../src/cluster/cluster-service.ts';
import type { Credentials } from '../../src/config/credentials.ts';
import type { Home } from '../../src/config/home.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { BucketMetricsReader } from '../../src/engine/reads/bucket-metrics.ts';
import type { QuotaAdmin } from '../../src/engine/roles/quotas.ts';
import type { StoreLifecycle } from '../../src/engine/lifecycle/lifecycle.ts';
import type { StoreUpkeep } from '../../src/engine/maintenance/upkeep.ts';
import type { Listener } from '../../src/http/listener.ts';
import type { SqliteIdentity } from '../../src/identity/sqlite-identity.ts';
import type { Mirror, MirrorOptions } from '../../src/mirror/mirror.ts';
import type { Monitoring } from '../../src/monitoring/monitoring.ts';
import type { ChangeMonitor } from '../../src/object-store/change-monitor.ts';
import type { MirrorStore } from '../../src/object-store/mirror-store.ts';
import type { ObjectReader, ObjectStore } from '../../src/object-store/object-store.ts';
import type { Links } from './links.ts';
import type { AreaLogger } from '../log/log.ts';
import type { RequestCounter } from '../metrics/request-counter.ts';
import type { StorageGateway } from './storage-gateway.ts';
import type { TargetKeys } from './target-keys.ts';

export interface ComposeOptions {
  readonly home: Home;
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: AreaLogger;
}

/** Functions that close the opened parts, in the order of opening. */
export type Closers = (() => void | Promise<void>)[];

export interface Rooms {
  readonly store: ObjectStore;
  /** The folder of the embedded store. */
  readonly storeDir: string;
  /** The checks, repairs and health of the embedded store. */
  readonly upkeep: StoreUpkeep;
  /** The sizes and object counts of the embedded store's buckets. */
  readonly metrics: BucketMetricsReader;
  readonly monitoring: Monitoring;
  readonly lifecycle: StoreLifecycle;
  /** The services for node groups of container clusters. */
  readonly clusters: ClusterRooms;
  readonly requests: RequestCounter;
  /** Returns the number of writes to the embedded store that are waiting for the disk. */
  waitingWrites(): number;
  /** The users and access keys of the embedded store, for other tools. Jobs use the store without an access key. */
  readonly identity: Omit<SqliteIdentity, 'close' | 'ensureFirstUser'>;
  /** Returns the names of the embedded store's buckets that a user owns. */
  bucketsOf(user: UserNames): Promise<readonly string[]>;
  readonly explainAccess: Engine['explainAccess'];
  /** The quotas of projects and buckets of the embedded store. */
  readonly quotas: QuotaAdmin;
  /** The presigned URLs of the embedded store. */
  readonly links: Links;
  /** The user that jobs and the command line act for. */
  readonly principal: UserPrincipal;
  /** The ID of this installation in the ownership markers of its jobs. */
  readonly hostId: string;
  readonly storage: StorageGateway;
  /** The embedded store with the permissions of an anonymous caller. */
  readonly publicStore: ObjectReader;
  /**
   * Returns the store of a target, or the embedded store. Returns the same object as long as the target and its
   * credentials do not change. Throws ConfigError for invalid credentials, CA files and proxies.
   */
  storeOf(target: TargetConfig | undefined): ObjectStore;
  /** Returns whether the target's buckets are on the same disk as the job's folder, on this machine, or elsewhere. */
  placementOf(folder: string, target: TargetConfig | undefined): Placement;
  /**
   * Returns a store for one job. The embedded store reports all changes except those that are made through the returned
   * store.
   */
  jobStore(target: TargetConfig | undefined): JobStore;
  /** Returns the client of a target. Throws like `storeOf`. */
  clientOf(target: TargetConfig): SignedClient;
  /**
   * Returns the access key ID of a target and, if the service reports it, the key's owner. Rejects like `checkTarget`.
   */
  whoIsAt(target: TargetConfig): Promise<{ readonly accessKeyId: string; readonly owner?: string }>;
  /** Returns the configured or detected protocol of a target. Returns undefined before the first response. */
  protocolOf(target: TargetConfig): TargetConfig['protocol'];
  readonly keys: TargetKeys;
  /** Sets the callback that is called when a service rejects the access key of a target. */
  onKeyRefused(heard: () => void): void;
  /**
   * Checks credentials with a request to the service. The request lists the objects at `place` or, without `place`, all
   * buckets. Rejects if the service does not respond or rejects the credentials. Returns whether the bucket of `place`
   * exists.
   */
  checkTarget(
    target: TargetEndpoint,
    credentials: Credentials,
    place?: BucketPlace,
  ): Promise<boolean | undefined>;
  openJob(job: OpenedJob, hooks: JobHooks): Promise<Mirror>;
  close(): Promise<void>;
}

/** A bucket and a prefix. The prefix is empty or ends in `/`. */
export type BucketPlace = Pick<JobConfig, 'bucket' | 'prefix'>;

/** The services of container clusters: the local service and the configured remote services. */
export interface ClusterRooms {
  /**
   * Returns a service by name. Without a name, returns the local service. Throws ControlError `NotFound`, or
   * ConfigError.
   */
  service(name?: string): ClusterService;
  /** Returns the names and URLs of all services. */
  readonly names: () => readonly { readonly name: string; readonly url: string }[];
  /** Returns the operations that a service does not support, as far as is known. */
  readonly missing: (name: string) => readonly string[];
  /** The addresses of the local service for other tools. */
  readonly listeners: readonly (Pick<Listener, 'host' | 'port' | 'url'> & {
    readonly name: string;
  })[];
  close(): Promise<void>;
}

/** A target without its credentials. */
export type TargetEndpoint = Omit<TargetConfig, 'credentials'>;

export interface JobStore extends Pick<OpenedJob, 'changes'> {
  readonly store: ObjectStore;
}

export interface OpenedJob {
  readonly config: JobConfig;
  /** The target of the job. Absent for the embedded store. */
  readonly target: TargetConfig | undefined;
  /** The store of the target. All jobs with this target share it. */
  readonly service: ObjectStore;
  /** The store of the job's objects. If the job has a customer-provided key, the store encrypts the objects with it. */
  readonly store: MirrorStore;
  /** Reports changes that are not made through `store`. Absent for a remote service. */
  readonly changes?: ChangeMonitor;
  readonly keyCheck?: string;
  readonly earlierChecks?: readonly string[];
}

export type JobHooks = Pick<
  MirrorOptions,
  'onChange' | 'onActivity' | 'onStateDamaged' | 'provenDays'
>;
