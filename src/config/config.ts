/**
 * Declares the types of the parsed `config.yaml`, the only record of jobs and listeners. All defaults are filled in.
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

/** HTTPS in addition to HTTP, on the same host. */
export interface TlsConfig {
  readonly port: number;
  /** Absolute path of the certificate in PEM, followed by the intermediate certificates. */
  readonly certFile: string;
  /** Absolute path of its private key in PEM, which other users must not be able to read. */
  readonly keyFile: string;
}

export interface UpkeepConfig {
  /** Days from the start of one scrub, which reads every byte of the store, to the start of the next. */
  readonly scrubDays: number;
  readonly scrubMegabytesPerSecond: number;
  /** If the clock jumps ahead by more hours than this, it is not trusted when locks are evaluated. */
  readonly maxClockJumpHours: number;
  /** Length of a day for lifecycle rules, in seconds; only in test mode. */
  readonly lifecycleDaySeconds?: number;
}

/** Default quotas of projects and buckets that have none of their own (`holdfast s3 quota`). */
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

/** Websites of buckets, served on the same host. */
export interface WebsiteConfig {
  readonly port: number;
  /**
   * Base names of websites: a request to the host `<bucket>.<base name>` selects the website of the bucket. URLs
   * contain the first base name.
   */
  readonly baseNames: readonly string[];
}

export interface StorageConfig extends Listener {
  readonly upkeep: UpkeepConfig;
  /**
   * Bytes that jobs leave free on the disk of the embedded store; if absent, a default that depends on the size of the
   * disk.
   */
  readonly minFree?: number;
  readonly quotas: QuotasConfig;
  readonly tls?: TlsConfig;
  /** If absent, no websites are served. */
  readonly website?: WebsiteConfig;
  /** Base names of the service: a request to the host `<bucket>.<base name>` addresses the bucket. */
  readonly baseNames: readonly string[];
  /** Addresses and ranges of trusted reverse proxies, whose `X-Forwarded-For` header is used. */
  readonly trustedProxies: readonly string[];
  /** Where signatures of version 2 are accepted: only in presigned URLs, nowhere, or in headers, too. */
  readonly signatureV2: 'headers' | 'off' | 'presigned';
  /** Whether customer keys are accepted from other machines without TLS of the gateway itself. */
  readonly customerKeysOverHttp: boolean;
}

/** A remote service that jobs can mirror to. Its secret is stored elsewhere, never in this file. */
export interface TargetConfig {
  readonly name: string;
  /** `http://host:port` or `https://…`, without a path. */
  readonly endpoint: string;
  readonly region: string;
  /** If absent, the protocol that the service accepts is detected at the first contact, S3 first. */
  readonly protocol?: Protocol;
  /** The source of its access key. */
  readonly credentials: CredentialsSource;
  /** Whether the bucket's name is in the path or in the host name. */
  readonly addressing: 'path' | 'virtual';
  /** Absolute path of a file with the PEM certificates that are trusted instead of the system's. */
  readonly caFile?: string;
  /** `none`, or `http://host:port`; if absent, the environment determines the proxy. */
  readonly proxy?: string;
}

export interface JobConfig extends MannersConfig {
  readonly name: string;
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly bucket: string;
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  /** `local` for the embedded store, otherwise the name of a target. */
  readonly target: string;
  readonly paused: boolean;
  /** Patterns in `.gitignore` syntax. */
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
     * Different retention for some keys, by patterns in `.gitignore` syntax. The last match applies; 0 days sets no
     * lock.
     */
    readonly patterns: readonly { readonly match: string; readonly days: number }[];
  };
  /** Minimum time between two versions of a file, in milliseconds; 0 for no minimum. */
  readonly minVersionInterval:
    | number
    | {
        readonly interval: number;
        /** A different interval for some keys, by patterns in `.gitignore` syntax. The last match applies. */
        readonly patterns: readonly { readonly match: string; readonly interval: number }[];
      };
  /**
   * How far back all, hourly, daily, weekly and monthly versions are kept, in milliseconds; if absent, all versions are kept.
   */
  readonly keep?: {
    readonly all: number;
    readonly hourly?: number | undefined;
    readonly daily?: number | undefined;
    readonly weekly?: number | undefined;
    readonly monthly?: number | undefined;
  };
  /** Headers, tags and ACLs of objects, by patterns. */
  readonly attributes: readonly AttributesRule[];
  /** Whether the attributes of an object are copied to its next version. */
  readonly carry: boolean;
  /** Whether each upload is downloaded and compared before it counts as done. */
  readonly verifyUploads: boolean;
  /** The customer key that the service encrypts the objects with; if absent, none. */
  readonly customerKey?: JobKeySource;
  readonly rescanMinutes: number;
  /** Number of days in which all content is downloaded and verified once; 0 for never. */
  readonly verifyDays: number;
  /** Maximum number of megabytes downloaded per day for that. */
  readonly verifyMegabytesPerDay?: number;
  readonly unguarded: boolean;
  /** URL that is requested while the job is in order. */
  readonly heartbeatUrl?: string;
}

/** Container clusters: the local cluster service and remote ones. */
export interface ClustersConfig {
  readonly host: string;
  /** If absent, other tools cannot reach the local service. */
  readonly port?: number;
  /** Service name in the credential scope of a signature: `…/SERVICE/aws4_request`. */
  readonly serviceCode: string;
  /** Duration of each step of the local service. */
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
  /** The source of its access key. */
  readonly credentials: CredentialsSource;
  readonly caFile?: string;
  readonly proxy?: string;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Areas of the log. */
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
  /** Vendor name in signatures of the protocol `svc`. */
  readonly vendor: string;
  readonly storage: StorageConfig;
  readonly clusters: ClustersConfig;
  readonly alerts: AlertsConfig;
  /** Where metrics are served to Prometheus; if `http` is absent, nowhere. */
  readonly metrics: { readonly http?: Listener };
  readonly logLevel: LogLevel;
  /** Log levels of areas that differ from `logLevel`. */
  readonly logLevels: Readonly<Partial<Record<LogArea, LogLevel>>>;
  readonly targets: readonly TargetConfig[];
  readonly jobs: readonly JobConfig[];
}
