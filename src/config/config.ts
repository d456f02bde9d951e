/** What `config.yaml` says, typed: the only record of jobs and listeners. Every default is filled in. */

import type { AttributesRule } from './attributes.ts';
import type { AlertsConfig } from './alerts.ts';
import type { CredentialsSource } from './credentials-source.ts';
import type { JobKeySource } from './customer-key.ts';
import type { MannersConfig } from './manners.ts';

export interface Listener {
  readonly host: string;
  readonly port: number;
}

/** HTTPS beside HTTP, on the same host. */
export interface TlsConfig {
  readonly port: number;
  /** Absolute path of the certificate in PEM, with those between it and its authority behind it. */
  readonly certFile: string;
  /** Absolute path of its private key in PEM, which others may not read. */
  readonly keyFile: string;
}

export interface UpkeepConfig {
  /** From the beginning of one scrub, which reads every byte of the store, to that of the next. */
  readonly scrubDays: number;
  readonly scrubMegabytesPerSecond: number;
  /** A clock that jumps further ahead is not believed where locks are judged. */
  readonly maxClockJumpHours: number;
  /** How long a day of lifecycle rules is; only in a test mode. */
  readonly lifecycleDaySeconds?: number;
}

/** What holds where nothing else was set for a project or a bucket (`holdfast s3 quota`). */
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

/** Buckets as websites, on the same host. */
export interface WebsiteConfig {
  readonly port: number;
  /** `<bucket>.<base name>` as the host of a request names the website; links are made with the first. */
  readonly baseNames: readonly string[];
}

export interface StorageConfig extends Listener {
  readonly upkeep: UpkeepConfig;
  /** Bytes that mirrors into the embedded store leave free on its disk; absent: what is usual on one of its size. */
  readonly minFree?: number;
  readonly quotas: QuotasConfig;
  readonly tls?: TlsConfig;
  /** Without it there are no websites. */
  readonly website?: WebsiteConfig;
  /** `<bucket>.<base name>` as the host of a request names its bucket. */
  readonly baseNames: readonly string[];
  /** Addresses and ranges of proxies on the way, whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Where signatures of version 2 are taken: in links for reading, nowhere, or in headers too. */
  readonly signatureV2: 'headers' | 'off' | 'presigned';
  /** Whether keys of customers are taken from other machines without TLS of our own. */
  readonly customerKeysOverHttp: boolean;
}

/** A remote service that jobs may mirror to. Its secret is somewhere else, never in this file. */
export interface TargetConfig {
  readonly name: string;
  /** `http://host:port` or `https://…`, without a path. */
  readonly endpoint: string;
  readonly region: string;
  /** Without it the first contact finds the one that the service accepts. */
  readonly dialect?: 'svc' | 'amz';
  /** Where its key is. */
  readonly credentials: CredentialsSource;
  /** Whether the bucket's name stands in the path or before the host. */
  readonly addressing: 'path' | 'virtual';
  /** Absolute path of certificates in PEM that are trusted instead of the system's. */
  readonly caFile?: string;
  /** `none`, or `http://host:port`; without it the environment decides. */
  readonly proxy?: string;
}

export interface JobConfig extends MannersConfig {
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
  readonly bucket: string;
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  /** `local` for the embedded store, else the name of a target. */
  readonly target: string;
  readonly paused: boolean;
  /** `.gitignore` syntax. */
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
    /** Other days for some keys, in `.gitignore` syntax; the last one that matches wins, and 0 locks nothing. */
    readonly patterns: readonly { readonly match: string; readonly days: number }[];
  };
  /** Milliseconds that are at least between two versions of a file; 0 for no such limit. */
  readonly minVersionInterval:
    | number
    | {
        readonly interval: number;
        /** Another one for some keys, in `.gitignore` syntax; the last one that matches wins. */
        readonly patterns: readonly { readonly match: string; readonly interval: number }[];
      };
  /** How far back each kind of moment is kept, in milliseconds; absent: all versions are. */
  readonly keep?: {
    readonly all: number;
    readonly daily?: number | undefined;
    readonly weekly?: number | undefined;
    readonly monthly?: number | undefined;
  };
  /** What objects are given beside their bytes, by patterns. */
  readonly attributes: readonly AttributesRule[];
  /** Whether what an object has of it is given to its next version. */
  readonly carry: boolean;
  /** Whether each upload is read back and compared before it counts. */
  readonly verifyUploads: boolean;
  /** Under what its objects are encrypted by the service; absent: in clear. */
  readonly customerKey?: JobKeySource;
  readonly rescanMinutes: number;
  /** Within so many days all content is read again; 0 for never. */
  readonly verifyDays: number;
  /** At most so much a day is read for that. */
  readonly verifyMegabytesPerDay?: number;
  readonly unguarded: boolean;
  /** Asked for while the job is in order. */
  readonly heartbeatUrl?: string;
}

/** Node groups of container clusters: the service of this machine, and remote ones. */
export interface ClustersConfig {
  readonly host: string;
  /** Absent: not served to other tools. */
  readonly port?: number;
  /** In credentials: `…/SERVICE/aws4_request`. */
  readonly serviceCode: string;
  /** How long its steps take. */
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
  readonly dialect: 'svc' | 'amz';
  readonly serviceCode: string;
  /** Where its key is. */
  readonly credentials: CredentialsSource;
  readonly caFile?: string;
  readonly proxy?: string;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What lines of the log are about. */
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
  /** Vendor word of the `x-svc-` dialect's signatures. */
  readonly vendor: string;
  readonly storage: StorageConfig;
  readonly clusters: ClustersConfig;
  readonly alerts: AlertsConfig;
  /** Where numbers are told to Prometheus; nowhere without `http`. */
  readonly metrics: { readonly http?: Listener };
  readonly logLevel: LogLevel;
  /** Of areas that have another one. */
  readonly logLevels: Readonly<Partial<Record<LogArea, LogLevel>>>;
  readonly targets: readonly TargetConfig[];
  readonly jobs: readonly JobConfig[];
}
