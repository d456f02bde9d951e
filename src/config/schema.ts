/** Defines the schema of `config.yaml`: every key, its limits and its default. */

import { z } from 'zod';

import { DAY_MS, SECOND_MS } from '../base/durations.ts';
import { parseIpRange } from '../base/ip-range.ts';
import { readSize } from '../text/amounts.ts';
import { heartbeatSchema } from './alerts.ts';
import { isBucketName } from './bucket-name.ts';
import { type Listener, LOG_AREAS } from './config.ts';
import { attributesSchema } from './attributes.ts';
import { credentialsMembers } from './credentials-source.ts';
import { customerKeyShape } from './customer-key.ts';
import { keepShape } from './keep.ts';
import { MANNERS } from './manners.ts';
import {
  hasNoNul,
  LOOPBACK,
  loopbackSchema,
  MAX_PORT,
  nameSchema,
  pathSchema,
  portSchema,
  protocolSchema,
  regionSchema,
  targetNameSchema,
} from './schema-words.ts';
import { alsoShape } from './several-targets.ts';
import { readDuration } from '../text/time.ts';

/**
 * The maximum size of a prefix. A key has at most 1,024 bytes, and half of them are reserved for the paths below the
 * prefix.
 */
const MAX_PREFIX_BYTES = 512;
const MAX_EXCLUDES = 1_000;
const MAX_PATTERN_CHARACTERS = 4_096;
/**
 * The longest lock: one hundred years. A longer lock is considered a mistake, and some services store it
 * incorrectly.
 */
const MAX_LOCK_DAYS = 36_500;
const MAX_RESCAN_MINUTES = 7 * 24 * 60;
const MAX_VERIFY_DAYS = 3_650;
/** The highest daily verification limit: one petabyte. */
const MAX_VERIFY_MEGABYTES = 1e9;

const tlsShape = z.strictObject({
  certFile: pathSchema,
  keyFile: pathSchema,
  port: portSchema.default(9443),
});

/** The last label must not be a number, because `bucket.127.0.0.1` is not a valid host name. */
const BASE_NAME =
  /^(?=.{1,190}$)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*(?!\d+$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
/** The maximum number of base names. Each is compared with the host name of every request. */
const MAX_BASE_NAMES = 16;
/** The maximum number of trusted proxies. No realistic chain of proxies has more. */
const MAX_TRUSTED_PROXIES = 64;

const baseNamesSchema = z
  .array(z.string().regex(BASE_NAME, 'must be a lower-case host name, not an IP address'))
  .max(MAX_BASE_NAMES, `must have at most ${MAX_BASE_NAMES} names`);

const websiteShape = z.strictObject({
  port: portSchema.default(9012),
  baseNames: baseNamesSchema.min(1, 'must have at least one name').default(['localhost']),
});

const MAX_UPKEEP_DAYS = 365;

const upkeepShape = z.strictObject({
  scrubDays: daysSchema(MAX_UPKEEP_DAYS).default(30),
  scrubMegabytesPerSecond: z
    .number()
    .min(0.1, 'must be at least 0.1')
    .max(10_000, 'must be at most 10000')
    .default(16),
  maxClockJumpHours: z
    .number()
    .min(1, 'must be at least 1')
    .max(MAX_UPKEEP_DAYS * 24, `must be at most ${MAX_UPKEEP_DAYS * 24}`)
    .default(1),
  lifecycleDaySeconds: wholeSchema(1, DAY_MS / SECOND_MS).exactOptional(),
});

/** The maximum that the specification allows. */
const MAX_BUCKETS_PER_PROJECT = 1000;
const MAX_OBJECT_BYTES = 5 * 1024 ** 4;
/** The longest key that other tools and services accept. The minimum leaves enough bytes for one file name. */
const MAX_KEY_BYTES = 1024;
const MIN_KEY_BYTES = 255;
/** The highest value of the option. A bucket can have at most this number of tags too. Tools read all tags at once. */
const MAX_TAGS_PER_OBJECT = 50;
/** The maximums of the S3 protocol. The size limits for XML documents are derived from them. */
const MAX_KEYS_PER_BULK_DELETE = 1000;
const MAX_PARTS_PER_UPLOAD = 10_000;

function sizeSchema(maxBytes: number, most: string, minBytes = 1) {
  const reason = `must be a size from ${minBytes} to ${most}, such as 500GB or 25TiB`;
  return z
    .union([z.int(reason), z.string()], reason)
    .transform((size) => (typeof size === 'number' ? size : (readSize(size) ?? -1)))
    .refine((bytes) => bytes >= minBytes && bytes <= maxBytes, reason);
}

const quotasShape = z.strictObject({
  bucketsPerProject: wholeSchema(1, MAX_BUCKETS_PER_PROJECT).default(50),
  bytesPerBucket: sizeSchema(Number.MAX_SAFE_INTEGER, '8000TiB').default(25 * 1024 ** 4),
  objectsPerBucket: z
    .int('must be a whole number of objects')
    .min(1, 'must be at least 1')
    .default(50_000_000),
  bytesPerObject: sizeSchema(MAX_OBJECT_BYTES, '5TiB').default(MAX_OBJECT_BYTES),
  keyBytes: wholeSchema(MIN_KEY_BYTES, MAX_KEY_BYTES).default(MAX_KEY_BYTES),
  tagsPerObject: wholeSchema(0, MAX_TAGS_PER_OBJECT).default(10),
  keysPerBulkDelete: wholeSchema(1, MAX_KEYS_PER_BULK_DELETE).default(MAX_KEYS_PER_BULK_DELETE),
  partsPerUpload: wholeSchema(1, MAX_PARTS_PER_UPLOAD).default(MAX_PARTS_PER_UPLOAD),
});

export const storageShape = z.strictObject({
  host: loopbackSchema.default('127.0.0.1'),
  port: portSchema.default(9010),
  tls: tlsShape.optional(),
  baseNames: baseNamesSchema.default(['localhost']),
  website: websiteShape.optional(),
  trustedProxies: z
    .array(
      z
        .string()
        .refine(
          (text) => parseIpRange(text) !== undefined,
          'must be an address or a range, such as 10.0.0.0/8',
        ),
    )
    .max(MAX_TRUSTED_PROXIES, `must have at most ${MAX_TRUSTED_PROXIES} addresses`)
    .default([]),
  signatureV2: z.enum(['presigned', 'off', 'headers']).default('presigned'),
  customerKeysOverHttp: z.boolean().default(false),
  minFree: sizeSchema(Number.MAX_SAFE_INTEGER, '8000TiB', 0).optional(),
  upkeep: upkeepShape.prefault({}),
  quotas: quotasShape.prefault({}),
});

export const targetShape = z.strictObject({
  name: targetNameSchema,
  endpoint: z
    .string()
    .refine(isEndpoint, 'must be http://HOST[:PORT] or https://HOST[:PORT], without a path')
    .transform((text) => (isEndpoint(text) ? new URL(text).origin : text)),
  region: regionSchema.default('us-east-1'),
  protocol: protocolSchema.optional(),
  ...credentialsMembers,
  addressing: z.enum(['path', 'virtual']).default('path'),
  caFile: pathSchema.optional(),
  proxy: z
    .string()
    .refine(
      (text) => text === 'none' || isEndpoint(text),
      'must be none, http://HOST[:PORT] or https://HOST[:PORT]; set a proxy with a password by the variable HTTPS_PROXY',
    )
    .optional(),
});

/** The maximum number of patterns. Each is compared with every key. */
const MAX_PATTERNS = 100;

const matchSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_PATTERN_CHARACTERS)
  .refine(
    (pattern) => !pattern.startsWith('!'),
    'must not start with !; add a pattern for the other files',
  );

const lockPatternShape = z.strictObject({
  match: matchSchema,
  days: z
    .int('must be a whole number of days; 0 locks nothing')
    .min(0, 'must be at least 0')
    .max(MAX_LOCK_DAYS, `must be at most ${MAX_LOCK_DAYS}`),
});

const lockShape = z.strictObject({
  mode: z.enum(['GOVERNANCE', 'COMPLIANCE']),
  days: daysSchema(),
  refreshDays: daysSchema().default(7),
  patterns: z
    .array(lockPatternShape)
    .max(MAX_PATTERNS, `must have at most ${MAX_PATTERNS} patterns`)
    .default([]),
});

const MAX_INTERVAL_DAYS = 30;

/** A period between two versions, parsed to milliseconds. */
const INTERVAL = `must be a period such as 90s, 10m, 1h or 1d, of at most ${MAX_INTERVAL_DAYS}d`;
const periodSchema = z
  .string()
  .refine((text) => (readDuration(text) ?? Infinity) <= MAX_INTERVAL_DAYS * DAY_MS, INTERVAL)
  .transform((text) => readDuration(text) ?? 0);

const intervalShape = z.strictObject({
  interval: periodSchema.default(0),
  patterns: z
    .array(z.strictObject({ match: matchSchema, interval: periodSchema }))
    .max(MAX_PATTERNS, `must have at most ${MAX_PATTERNS} patterns`)
    .default([]),
});

export const jobShape = z.strictObject({
  name: nameSchema,
  folder: pathSchema,
  bucket: z
    .string()
    .refine(
      isBucketName,
      'must be 3 to 63 lower-case letters, digits, dots and hyphens, with a letter or digit at both ends',
    ),
  prefix: z
    .string()
    .refine(
      isPrefix,
      `must be empty, or at most ${MAX_PREFIX_BYTES} bytes that end in / and do not start with it`,
    )
    .default(''),
  target: z.string().default('local'),
  also: alsoShape,
  paused: z.boolean().default(false),
  exclude: z
    .array(z.string().max(MAX_PATTERN_CHARACTERS))
    .max(MAX_EXCLUDES, `must have at most ${MAX_EXCLUDES} patterns`)
    .default([]),
  cacheDirs: z.enum(['exclude', 'keep']).default('exclude'),
  oneFileSystem: z.boolean().default(true),
  conflict: z.enum(['keep-both', 'local', 'remote', 'ask']).default('keep-both'),
  drift: z.enum(['report', 'enforce']).default('report'),
  conflictWindowDays: daysSchema().default(30),
  lock: lockShape.optional(),
  minVersionInterval: z.union([periodSchema, intervalShape], INTERVAL).default(0),
  keep: keepShape.optional(),
  attributes: attributesSchema,
  carry: z.boolean().default(true),
  verifyUploads: z.boolean().default(false),
  customerKey: customerKeyShape.optional(),
  rescanMinutes: z
    .number()
    .min(1, 'must be at least 1')
    .max(MAX_RESCAN_MINUTES, `must be at most ${MAX_RESCAN_MINUTES}`)
    .default(60),
  verifyDays: z
    .int('must be a whole number of days, or 0')
    .min(0, 'must be at least 0')
    .max(MAX_VERIFY_DAYS, `must be at most ${MAX_VERIFY_DAYS}`)
    .default(30),
  verifyMegabytesPerDay: z
    .number()
    .min(1, 'must be at least 1')
    .max(MAX_VERIFY_MEGABYTES, `must be at most ${MAX_VERIFY_MEGABYTES}`)
    .optional(),
  unguarded: z.boolean().default(false),
  heartbeatUrl: heartbeatSchema,
  ...MANNERS,
});

const HOST_AND_PORT = /^(.+):(\d{1,5})$/;

const metricsShape = z.strictObject({
  http: z
    .string()
    .refine(
      (text) => loopbackListener(text) !== undefined,
      'must be a loopback address and a port, such as 127.0.0.1:9013',
    )
    .transform(loopbackListener)
    .optional(),
});

const levelSchema = z.enum(['debug', 'info', 'warn', 'error']);

/** The scalars at the top level. `storage`, `clusters`, `alerts`, `targets` and `jobs` are parsed separately. */
export const topShape = z.strictObject({
  region: regionSchema.default('us-east-1'),
  vendor: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,15}$/, 'must be a letter and up to 15 letters or digits')
    // AWS is the vendor name of S3, so a signature with it would not show which protocol is used.
    .refine(
      (word) => word.toUpperCase() !== 'AWS',
      'must not be AWS, the vendor name of the s3 protocol',
    )
    .default('SVC'),
  logLevel: levelSchema.default('info'),
  logLevels: z.partialRecord(z.enum(LOG_AREAS), levelSchema).default({}),
  metrics: metricsShape.prefault({}),
  storage: z.unknown().optional(),
  clusters: z.unknown().optional(),
  alerts: z.unknown().optional(),
  targets: z.unknown().optional(),
  jobs: z.unknown().optional(),
});

/** A job's entry in `config.yaml`. Absent options have their default values. */
export type JobEntry = z.input<typeof jobShape>;
export type TargetEntry = z.input<typeof targetShape>;

function wholeSchema(min: number, max: number) {
  const reason = `must be a whole number from ${min} to ${max}`;
  return z.int(reason).min(min, reason).max(max, reason);
}

function daysSchema(max = MAX_LOCK_DAYS) {
  return z
    .int('must be a whole number of days')
    .min(1, 'must be at least 1')
    .max(max, `must be at most ${max}`);
}

/**
 * Parses a loopback address with a port, such as `127.0.0.1:9013` or `[::1]:9013`. Returns undefined for any other
 * text.
 */
function loopbackListener(text: string): Listener | undefined {
  const [, written = '', port] = HOST_AND_PORT.exec(text) ?? [];
  const host = written === '[::1]' ? '::1' : written;
  const isLoopback = LOOPBACK.test(host) && (host !== '::1' || written === '[::1]');
  return isLoopback && Number(port) <= MAX_PORT ? { host, port: Number(port) } : undefined;
}

function isPrefix(prefix: string): boolean {
  if (prefix === '') return true;
  if (!prefix.endsWith('/') || prefix.startsWith('/') || !hasNoNul(prefix)) return false;
  return prefix.isWellFormed() && Buffer.byteLength(prefix) <= MAX_PREFIX_BYTES;
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  const extra = url.username + url.password + url.search + url.hash;
  return extra === '' && (url.pathname === '/' || url.pathname === '');
}
