/** Restores from any service with only the credentials: without a daemon and without a job. */

import type { Clock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { SignedClient } from '../../src/client/signed-client.ts';
import type { Credentials } from '../../src/config/credentials.ts';
import type { Home } from '../../src/config/home.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Protocol } from '../../src/config/schema-words.ts';
import { targetShape } from '../../src/config/schema.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Result } from '../../src/control/messages.ts';
import { ownTimes } from '../../src/restore/own-times.ts';
import type { VersionTimes } from '../../src/mirror/objects/version-times.ts';
import { type PreviewRow, previewRestore } from '../../src/restore/restore-preview.ts';
import { isReserved } from '../../src/mirror/objects/own-objects.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import type { RestoreOptions } from '../../src/restore/restore-options.ts';
import type { MirrorStore } from '../../src/object-store/mirror-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { connectTo } from '../compose/target-clients.ts';
import { customerKeyOf } from '../handlers/buckets/encryption.ts';
import { storeUnder } from '../jobs/job-key.ts';
import { resultOf } from '../restores/restore-result.ts';
import { TargetDialects } from '../services/target-dialects.ts';
import { targetRefusal } from '../settings/target-refusal.ts';
import { commandErrorOf } from '../control/wire-error.ts';

interface Service {
  readonly endpoint: string;
  readonly protocol?: Protocol;
  readonly region?: string;
  /** The absolute path of a PEM file with CA certificates. */
  readonly caFile?: string;
  readonly credentials: Credentials;
  readonly home: Home;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface RestoreSource
  extends
    Service,
    Pick<RestoreOptions, 'bucket' | 'prefix' | 'to' | 'at' | 'exact' | 'onProgress' | 'inFlight'> {
  /** Whether to restore the owner and the mode bits 07000 of all objects, regardless of which client wrote them. */
  readonly trustAttributes?: boolean;
  /**
   * The customer-provided keys of the objects, in base64. The first is the current key. The others are earlier keys.
   */
  readonly customerKeys?: readonly string[];
}

/** Restores, and returns the report. Rejects with the daemon's ControlErrors, or with the signal's reason. */
export function restoreFrom(source: RestoreSource): Promise<Result<'restore.run'>> {
  return translated(source, async (request) => {
    const startedAt = source.clock.monotonic();
    const report = await restoreTree(request);
    const seconds = (source.clock.monotonic() - startedAt) / 1000;
    return resultOf(report, { to: source.to, seconds });
  });
}

/** Reports what `restoreFrom` would do. Calls `report` for each row. Rejects like `restoreFrom`. */
export function previewFrom(
  source: RestoreSource,
  report: (row: PreviewRow) => Promise<void>,
): Promise<void> {
  return translated(source, async (request) => {
    for await (const row of previewRestore(request)) await report(row);
  });
}

async function translated<T>(
  source: RestoreSource,
  work: (request: RestoreOptions) => Promise<T>,
): Promise<T> {
  const { bucket, prefix, to, at, exact, clock, signal, trustAttributes } = source;
  const { onProgress, inFlight } = source;
  const isProven = trustAttributes ? () => true : undefined;
  const asked = defined({ at, exact, onProgress, inFlight, isProven });
  return connected(source, async (service) => {
    try {
      const [key, ...earlier] = (source.customerKeys ?? []).flatMap(
        (each) => customerKeyOf(each) ?? [],
      );
      const store = key ? storeUnder({ key, earlier }, service) : service;
      const where = { store, bucket, prefix };
      const hintOfNothing = () => foldersHint({ ...where, at }, signal);
      const times = at === undefined ? undefined : await timesIn(where, signal);
      const listed = { ...where, ...defined({ times }) };
      const fixed = { to, hintOfNothing, clock, signal, logger: silentLogger };
      return await work({ ...listed, ...asked, ...fixed });
    } catch (error) {
      if (!isStorageError(error, 'NoSuchBucket')) throw error;
      throw await noSuchBucket(service, source);
    }
  });
}

/** Calls `use` with a client of the service. Translates its errors to the daemon's errors. */
async function connected<T>(
  source: Service,
  use: (service: SignedClient) => Promise<T>,
): Promise<T> {
  try {
    const service = await connect(source);
    try {
      return await use(service);
    } finally {
      await service.close();
    }
  } catch (error) {
    source.signal.throwIfAborted();
    const { accessKeyId } = source.credentials;
    throw commandErrorOf(targetRefusal(error, { ...source, accessKeyId }));
  }
}

const NAMED = 10;

async function noSuchBucket(
  service: SignedClient,
  { endpoint, bucket, signal }: RestoreSource,
): Promise<ControlError> {
  const message = `cannot restore: bucket "${bucket}" does not exist at ${endpoint}`;
  const hint = await listedBuckets(service, signal);
  return new ControlError('Storage', message, { storageCode: 'NoSuchBucket', hint });
}

/** Returns a hint that lists the buckets of the service. Rejects like `restoreFrom`. */
export function bucketsHint(source: Service): Promise<string> {
  return connected(source, (service) => listedBuckets(service, source.signal));
}

async function listedBuckets(service: SignedClient, signal: AbortSignal): Promise<string> {
  try {
    const names = (await service.listBuckets({ signal })).map(({ name }) => name);
    return `buckets that this key may list: ${someOf(names) || 'none'}; to restore one: --from ENDPOINT/BUCKET`;
  } catch (error) {
    if (!isStorageError(error)) throw error;
    return `check the name of the bucket; this key may not list the buckets (${error.code})`;
  }
}

function someOf(names: readonly string[]): string {
  return [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(', ');
}

/**
 * Returns a hint for a restore that found nothing. It lists the first folders of the bucket, because the prefix may
 * be misspelled.
 */
async function foldersHint(
  {
    store,
    bucket,
    prefix,
    at,
  }: Pick<RestoreOptions, 'store' | 'bucket' | 'prefix'> & {
    readonly at: number | undefined;
  },
  signal: AbortSignal,
): Promise<string> {
  if (at !== undefined) return 'to restore the current objects, omit --at';
  const page = await store.listObjects({ bucket, delimiter: '/', maxKeys: 1000 }, { signal });
  const folders = page.commonPrefixes.filter((each) => !isReserved(each.replace(/\/$/, '')));
  if (folders.length > 0)
    return `folders in that bucket: ${someOf(folders.map((each) => `${bucket}/${each}`))}`;
  const found = page.objects.length > 0 ? 'files but no folders' : 'no current objects';
  const way = prefix === '' ? '' : `; to restore all of it: --from ENDPOINT/${bucket}`;
  return `the bucket contains ${found}${way}; to restore deleted files: --at TIME`;
}

/**
 * Returns the upload times from the metadata of versions. They are needed because a service may change the dates of
 * versions, and a restore must not write to the bucket to detect that. Returns undefined for a Holdfast store,
 * because it never changes dates.
 */
async function timesIn(
  where: {
    readonly store: MirrorStore;
    readonly bucket: string;
    readonly prefix: string;
  },
  signal: AbortSignal,
): Promise<VersionTimes | undefined> {
  const time = await where.store.serviceTime({ bucket: where.bucket }, { signal });
  return time?.isTrusted ? undefined : ownTimes(where);
}

async function connect(source: Service): Promise<SignedClient> {
  const { endpoint, protocol, region, caFile, credentials, home, clock } = source;
  const stated = defined({ name: 'from', endpoint, protocol, region, caFile });
  const { data, error } = targetShape.safeParse(stated);
  if (!data) {
    const problems = error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new ControlError('BadRequest', `cannot restore from ${endpoint}: ${problems.join('; ')}`);
  }
  const target = defined(data);
  const { vendor } = await loadConfig(home);
  return connectTo(target, credentials, {
    home,
    dialect: new TargetDialects(vendor).of(target),
    clock,
    logger: silentLogger,
  });
}
