/** Adds a target. Chooses its name, checks its access key, and stores the key in a credentials file. */

import { join } from 'node:path';

import { defined } from '../../src/base/defined.ts';
import { errorMessage } from '../../src/base/errors.ts';
import { targetNameFor } from '../../src/config/bucket-name.ts';
import type { TargetConfig } from '../../src/config/config.ts';
import { type Credentials, writeCredentials } from '../../src/config/credentials.ts';
import { addTarget } from '../../src/config/edit.ts';
import { targetShape } from '../../src/config/schema.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Params, Result } from '../../src/control/messages.ts';
import { isStorageError, type StorageError } from '../../src/object-store/storage-error.ts';
import { numbered } from './names.ts';
import type { BucketPlace, Rooms, TargetEndpoint } from '../services/rooms.ts';
import type { Settings } from './settings.ts';
import { isDown, targetRefusal } from './target-refusal.ts';

const MOST_SUFFIXES = 100;

type TargetSpec = Params<'targets.plan'>;

export interface TargetPlan {
  readonly target: TargetConfig;
  /** Whether the target is already in the configuration. The configuration then specifies its credentials file. */
  readonly existing: boolean;
  readonly credentialsFile: string;
}

/**
 * Returns the configured target with this endpoint, or a new target. Changes nothing. Throws ControlError `BadRequest`
 * for invalid settings, and `Conflict` for a name that is already used.
 */
export function planTarget(spec: TargetSpec, settings: Settings): TargetPlan {
  const { targets } = settings.current();
  const wanted = checked(spec, new Set(targets.map((each) => each.name)));
  const same = targets.filter(
    (each) =>
      each.endpoint === wanted.endpoint &&
      (each.protocol ?? wanted.protocol) === (wanted.protocol ?? each.protocol) &&
      each.region === wanted.region &&
      (wanted.caFile === undefined || each.caFile === wanted.caFile),
  );
  // Several targets can have the same endpoint with different access keys.
  const known = spec.name === undefined ? same[0] : same.find(({ name }) => name === spec.name);
  if (known) {
    const { file } = known.credentials;
    if (file === undefined) throw elsewhere(wanted.endpoint);
    const target = { ...known, ...defined({ protocol: wanted.protocol }) };
    return { target, existing: true, credentialsFile: file };
  }
  // The check must come before the key is written. Otherwise the key of an existing target with this name would be
  // overwritten.
  if (targets.some(({ name }) => name === wanted.name)) throw isTaken(wanted);
  const file = join(settings.home.credentialsDir, `${wanted.name}.json`);
  return { target: { ...wanted, credentials: { file } }, existing: false, credentialsFile: file };
}

interface StoreTargetOptions {
  readonly key: Credentials;
  /** The bucket and prefix that the access key is checked with. */
  readonly place?: BucketPlace;
  readonly rooms: Pick<Rooms, 'checkTarget'>;
  readonly settings: Settings;
}

/**
 * Checks the access key at the service, and then writes the key and the target. Returns a warning if the service is
 * down.
 */
export async function storeTarget(
  spec: TargetSpec,
  { key, place, rooms, settings }: StoreTargetOptions,
): Promise<Result<'targets.add'>> {
  const { target, existing, credentialsFile } = planTarget(spec, settings);
  const { name, endpoint } = target;
  // The key is checked in the bucket of a job, because it may have no permission to list all buckets.
  const tryAt = place ?? settings.current().jobs.find((job) => job.target === name);
  const asked = { accessKeyId: key.accessKeyId, endpoint, ...defined({ bucket: tryAt?.bucket }) };
  const tried = await trial(rooms.checkTarget(target, key, tryAt), asked);
  const { reason } = tried;
  // An access key that could not be checked does not replace a stored key that may be valid.
  const isStored = !existing || reason === undefined;
  if (isStored) await writeCredentials(credentialsFile, key);
  // The edit also applies the configuration, so jobs of an existing target use its new key.
  await settings.edit((home) => addTarget(home, target, existing));
  if (reason === undefined)
    return { name, existing, ...defined({ bucketExists: place && tried.bucketExists }) };
  const consequence = isStored
    ? 'saved, but the key and the protocol could not be checked yet'
    : 'the stored key was not replaced';
  return { name, existing, warning: `${consequence}: ${reason}` };
}

interface Trial {
  readonly bucketExists?: boolean | undefined;
  /** Why the access key could not be checked. A target can be added even if its service is down. */
  readonly reason?: string;
}

interface Asked {
  readonly endpoint: string;
  readonly accessKeyId: string;
  /** The bucket that the access key was checked with. Absent if the check listed all buckets. */
  readonly bucket?: string;
}

/**
 * Returns whether the bucket exists, or why the access key could not be checked. Throws if the service rejects the key.
 */
async function trial(checked: Promise<boolean | undefined>, asked: Asked): Promise<Trial> {
  try {
    return { bucketExists: await checked };
  } catch (error) {
    if (isStorageError(error, 'AccessDenied')) throw denied(error, asked);
    if (!isDown(error)) throw targetRefusal(error, asked);
    return { reason: errorMessage(error) };
  }
}

function denied(cause: StorageError, { endpoint, accessKeyId, bucket }: Asked): ControlError {
  const what = bucket === undefined ? 'the buckets' : `bucket ${bucket}`;
  const message = `cannot use ${endpoint}: the access key ${accessKeyId} has no permission to list ${what}`;
  const hint =
    bucket === undefined
      ? 'if the key is for one bucket, name that: holdfast target add NAME ENDPOINT/BUCKET'
      : 'to see the permissions that a job needs: holdfast target add NAME SERVICE --policy';
  const { code: storageCode, details } = cause;
  return new ControlError('Storage', message, { storageCode, details, hint, cause });
}

function elsewhere(endpoint: string): ControlError {
  const message = `cannot add target ${endpoint}: it already exists, and Holdfast does not manage its key`;
  return new ControlError('Conflict', message, {
    hint: 'change the key in the place that `credentials` in config.yaml names, then run `holdfast config reload`',
  });
}

function isTaken({ name, endpoint }: TargetEndpoint): ControlError {
  const message = `cannot add target ${endpoint}: a target ${name} with another endpoint, region or protocol exists already`;
  const hint = `choose another name, or remove that target first: holdfast target remove ${name}`;
  return new ControlError('Conflict', message, { hint });
}

/**
 * Checks the target against the rules of the configuration. This must happen before its name becomes a file name and
 * its key is written.
 */
function checked(
  { name, endpoint, region, protocol, caFile }: TargetSpec,
  taken: ReadonlySet<string>,
): TargetEndpoint {
  const host = URL.parse(endpoint)?.hostname ?? 'target';
  const { data, error } = targetShape.safeParse(
    defined({ name: name ?? freeName(host, taken), endpoint, region, protocol, caFile }),
  );
  if (data) return defined(data);
  const problems = error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new ControlError('BadRequest', `cannot add target ${endpoint}: ${problems.join('; ')}`);
}

function freeName(host: string, taken: ReadonlySet<string>): string {
  for (const name of numbered(targetNameFor(host), MOST_SUFFIXES)) {
    if (!taken.has(name)) return name;
  }
  const hint = 'choose a name: holdfast target add NAME SERVICE';
  throw new ControlError('Conflict', `cannot name target ${host}: that name is in use`, { hint });
}
