/** A restore without a daemon, a job or a home: from any service, with nothing but credentials. */

import type { Clock } from '../src/base/clock.ts';
import { defined } from '../src/base/defined.ts';
import { silentLogger } from '../src/base/logger.ts';
import type { SignedClient } from '../src/client/signed-client.ts';
import type { Credentials } from '../src/config/credentials.ts';
import type { Home } from '../src/config/home.ts';
import { loadConfig } from '../src/config/load.ts';
import { targetShape } from '../src/config/schema.ts';
import { ControlError } from '../src/control/control-error.ts';
import type { Result } from '../src/control/messages.ts';
import { ownTimes } from '../src/mirror/history/own-times.ts';
import type { VersionTimes } from '../src/mirror/history/version-times.ts';
import { type PreviewRow, previewRestore } from '../src/mirror/restore/restore-preview.ts';
import { restoreTree, type RestoreOptions } from '../src/mirror/restore/restore.ts';
import type { ObjectStore } from '../src/object-store/object-store.ts';
import { amzDialect, svcDialect } from '../src/protocol/dialect.ts';
import { connectTo } from './compose.ts';
import { customerKeyOf } from './handlers/encryption.ts';
import { storeUnder } from './job-key.ts';
import { controlErrorOf } from './wire-error.ts';

export interface RestoreSource extends Pick<
  RestoreOptions,
  'bucket' | 'prefix' | 'to' | 'at' | 'exact' | 'onProgress'
> {
  readonly endpoint: string;
  readonly dialect?: 'svc' | 'amz';
  readonly region?: string;
  /** Absolute. */
  readonly caFile?: string;
  readonly credentials: Credentials;
  /** Under which its objects are encrypted, in base64; what is under an earlier one is opened by that. */
  readonly customerKeys?: readonly string[];
  readonly home: Home;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Rejects with ControlError, as the daemon would tell it, or with the signal's reason. */
export function restoreFrom(source: RestoreSource): Promise<Result<'restore.run'>> {
  return translated(source, async (request) => {
    const startedAt = source.clock.monotonic();
    const { early, problems, ...report } = await restoreTree(request);
    const seconds = (source.clock.monotonic() - startedAt) / 1000;
    const paths = [...early.paths];
    return {
      ...report,
      to: source.to,
      early: { ...early, paths },
      problems: [...problems],
      seconds,
    };
  });
}

/** Tells each row of what `restoreFrom` would do. */
export function previewFrom(
  source: RestoreSource,
  tell: (row: PreviewRow) => Promise<void>,
): Promise<void> {
  return translated(source, async (request) => {
    for await (const row of previewRestore(request)) await tell(row);
  });
}

async function translated<T>(
  source: RestoreSource,
  work: (request: RestoreOptions) => Promise<T>,
): Promise<T> {
  const { bucket, prefix, to, at, exact, onProgress, clock, signal } = source;
  const asked = defined({ at, exact, onProgress });
  try {
    const service = await connect(source);
    try {
      const [key, ...earlier] = (source.customerKeys ?? []).flatMap(
        (each) => customerKeyOf(each) ?? [],
      );
      const store = key ? storeUnder({ key, earlier }, service) : service;
      const where = { store, bucket, prefix };
      const times = at === undefined ? undefined : await timesIn(where, signal);
      const listed = { ...where, ...defined({ times }) };
      return await work({ ...listed, to, ...asked, clock, signal, logger: silentLogger });
    } finally {
      await service.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw controlErrorOf(error, silentLogger);
  }
}

/**
 * A restore writes nothing to the bucket, and so cannot probe whether the service keeps the dates of versions: every service
 * may change them, except a store of Holdfast, which tells its trusted time.
 */
async function timesIn(
  where: { readonly store: ObjectStore; readonly bucket: string; readonly prefix: string },
  signal: AbortSignal,
): Promise<VersionTimes | undefined> {
  const time = await where.store.serviceTime({ bucket: where.bucket }, { signal });
  return time?.isTrusted ? undefined : ownTimes(where);
}

async function connect(source: RestoreSource): Promise<SignedClient> {
  const { endpoint, dialect, region, caFile, credentials, home, clock } = source;
  const stated = defined({ name: 'from', endpoint, dialect, region, caFile });
  const { data, error } = targetShape.safeParse(stated);
  if (!data) {
    const problems = error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new ControlError('BadRequest', `restore from ${endpoint}: ${problems.join('; ')}`);
  }
  const spoken = data.dialect === 'amz' ? amzDialect : svcDialect((await loadConfig(home)).vendor);
  return connectTo(defined(data), credentials, {
    home,
    dialect: spoken,
    clock,
    logger: silentLogger,
  });
}
