/**
 * Defines the types of the parsed `config.yaml`, with all defaults filled in. Jobs and listeners are only recorded in
 * `config.yaml`.
 */

import type { AttributesRule } from './attributes.ts';
import type { AlertsConfig } from './alerts.ts';
import type { CredentialsSource } from './credentials-source.ts';
import type { JobKeySource } from './customer-key.ts';
import type { MannersConfig } from './manners.ts';
import type { Protocol } from './schema-words.ts';

export interface Listener {
  readonly host: string;
  readonly port: number;
}

/** The settings of HTTPS, which is served on the same host in addition to HTTP. */
export interface TlsConfig {
  readonly port: number;
  /** The absolute path of a PEM file with the certificate, followed by the intermediate certificates. */
  readonly certFile: string;
  /** The absolute path of the private key in PEM. Other users must not be able to read it. */
  readonly keyFile: string;
}

export interface UpkeepConfig {
  /** The days from the start of one scrub to the start of the next. A scrub reads every byte of the store. */
  readonly scrubDays: number;
  readonly scrubMegabytesPerSecond: number;
  /**
   * If the clock jumps ahead by more than this number of hours, it is not trusted. Locks are then evaluated by the
   * trusted time of the store.
   */
  readonly maxClockJumpHours: number;
  /** The length of a day for lifecycle rules, in seconds. Only in test mode. */
  readonly lifecycleDaySeconds?: number;
}

/** Default quotas for projects and buckets without their own quota (`holdfast s3 quota`). */
export interface QuotasConfig {
  readonly bucketsPerProject: number;
  readonly bytesPerBucket: number;
  readonly objectsPerBucket: number;
  readonly bytesPerObject: number;
  readonly keyBytes: number;
  readonly tagsPerObject: number;
  readonly keysPerBulkDelete: number;
  readonly partsPerUpload: number;
}

/** The static websites of buckets, which are served on the same host. */
export interface WebsiteConfig {
  readonly port: number;
  /**
   * The base names of websites. A request to the host `<bucket>.<base name>` selects the website of the bucket. URLs
   * that Holdfast creates contain the first base name.
   */
  readonly baseNames: readonly string[];
}

export interface StorageConfig extends Listener {
  readonly upkeep: UpkeepConfig;
  /**
   * The number of bytes that jobs leave free on the disk of the embedded store. If absent, a default that depends on
   * the disk size applies.
   */
  readonly minFree?: number;
  readonly quotas: QuotasConfig;
  readonly tls?: TlsConfig;
  /** The website settings. If absent, no websites are served. */
  readonly website?: WebsiteConfig;
  /** The base names of the service. A request to the host `<bucket>.<base name>` addresses the bucket. */
  readonly baseNames: readonly string[];
  /** Addresses and address ranges of trusted reverse proxies. Only their `X-Forwarded-For` header is used. */
  readonly trustedProxies: readonly string[];
  /** Where signatures of version 2 are accepted: only in presigned URLs, nowhere, or also in headers. */
  readonly signatureV2: 'headers' | 'off' | 'presigned';
  /** Whether customer-provided keys are accepted from other machines although the gateway itself does not use TLS. */
  readonly customerKeysOverHttp: boolean;
}

/** A remote service to which jobs can back up. The secret of its access key is not stored in `config.yaml`. */
export interface TargetConfig {
  readonly name: string;
  /** The URL `http://host:port` or `https://…`, without a path. */
  readonly endpoint: string;
  readonly region: string;
  /**
   * The protocol of the service. If absent, the first request detects which protocol the service accepts. S3 is tried
   * first.
   */
  readonly protocol?: Protocol;
  /** Where the access key of the service comes from. */
  readonly credentials: CredentialsSource;
  /** Whether the bucket name is in the path or in the host name. */
  readonly addressing: 'path' | 'virtual';
  /** The absolute path of a PEM file. Its certificates are trusted instead of the system's. */
  readonly caFile?: string;
  /** `none`, or the proxy URL `http://host:port`. If absent, environment variables select the proxy. */
  readonly proxy?: string;
}

export interface JobConfig extends MannersConfig {
  readonly name: string;
  /** The absolute path of the folder that the job backs up. */
  readonly folder: string;
  readonly bucket: string;
  /** The key prefix of the job's objects. Empty, or ends in `/`. */
  readonly prefix: string;
  /** The name of a target, or `local` for the embedded store. */
  readonly target: string;
  readonly paused: boolean;
  /** Exclude patterns in `.gitignore` syntax. */
  readonly exclude: readonly string[];
  readonly cacheDirs: 'exclude' | 'keep';
  readonly oneFileSystem: boolean;
  readonly conflict: 'keep-both' | 'local' | 'remote' | 'ask';
  readonly drift: 'report' | 'enforce';
  readonly conflictWindowDays: number;
  readonly lock?: {
    readonly mode: 'GOVERNANCE' | 'COMPLIANCE';
    readonly days: number;
    readonly refreshDays: number;
    /**
     * Different retention periods for some keys, by patterns in `.gitignore` syntax. The last matching pattern applies.
     * 0 days means no lock.
     */
    readonly patterns: readonly { readonly match: string; readonly days: number }[];
  };
  /** The minimum time between two versions of a file, in milliseconds. 0 means no minimum. */
  readonly minVersionInterval:
    | number
    | {
        readonly interval: number;
        /**
         * A different interval for some keys, by patterns in `.gitignore` syntax. The last matching pattern applies.
         */
        readonly patterns: readonly { readonly match: string; readonly interval: number }[];
      };
  /**
   * How far back all, hourly, daily, weekly and monthly versions are kept, in milliseconds. If absent, all versions are
   * kept forever.
   */
  readonly keep?: {
    readonly all: number;
    readonly hourly?: number | undefined;
    readonly daily?: number | undefined;
    readonly weekly?: number | undefined;
    readonly monthly?: number | undefined;
  };
  /** Headers, tags and ACLs to set on objects, by patterns. */
  readonly attributes: readonly AttributesRule[];
  /** Whether the metadata and permissions of an object are copied to its next version. */
  readonly carry: boolean;
  /** Whether each upload is downloaded and compared before it counts as complete. */
  readonly verifyUploads: boolean;
  /**
   * The customer-provided key with which the service encrypts the job's objects. If absent, the service does not use
   * such a key.
   */
  readonly customerKey?: JobKeySource;
  readonly rescanMinutes: number;
  /** The number of days within which all content is downloaded and verified once. 0 means never. */
  readonly verifyDays: number;
  /** The maximum number of megabytes per day to download for verification. */
  readonly verifyMegabytesPerDay?: number;
  readonly unguarded: boolean;
  /** The URL that is requested periodically while the job works correctly. */
  readonly heartbeatUrl?: string;
}

/** Container clusters: the local cluster service and remote services. */
export interface ClustersConfig {
  readonly host: string;
  /** The port of the local service. If absent, the service opens no port, and only Holdfast itself can use it. */
  readonly port?: number;
  /** The service name in the credential scope of a signature: `…/SERVICE/aws4_request`. */
  readonly serviceCode: string;
  /** The duration of each simulated step of the local service, in seconds. */
  readonly seconds: {
    readonly createCluster: number;
    readonly deleteCluster: number;
    readonly createNodegroup: number;
    readonly deleteNodegroup: number;
    readonly batch: number;
  };
  readonly services: readonly ClusterServiceConfig[];
}

export interface ClusterServiceConfig {
  readonly name: string;
  readonly url: string;
  readonly region: string;
  readonly protocol: Protocol;
  readonly serviceCode: string;
  /** Where the access key of the service comes from. */
  readonly credentials: CredentialsSource;
  readonly caFile?: string;
  readonly proxy?: string;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The areas of the daemon whose log level can be set separately. */
export const LOG_AREAS = [
  'daemon',
  'store',
  'gateway',
  'client',
  'mirror',
  'clusters',
  'monitoring',
] as const;
export type LogArea = (typeof LOG_AREAS)[number];

export interface Config {
  readonly region: string;
  /** The vendor name in signatures of the `svc` protocol. */
  readonly vendor: string;
  readonly storage: StorageConfig;
  readonly clusters: ClustersConfig;
  readonly alerts: AlertsConfig;
  /** Where metrics are served to Prometheus. If `http` is absent, metrics are not served. */
  readonly metrics: { readonly http?: Listener };
  readonly logLevel: LogLevel;
  /** The log levels of areas that differ from `logLevel`. */
  readonly logLevels: Readonly<Partial<Record<LogArea, LogLevel>>>;
  readonly targets: readonly TargetConfig[];
  readonly jobs: readonly JobConfig[];
}
