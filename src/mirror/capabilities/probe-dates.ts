/**
 * Probes whether a service changes a version's LastModified when its legal hold or tags change. Ceph RGW changes it for
 * the current version. The new date is listed once the version is no longer current.
 */

import { bytesBody } from '../../object-store/body.ts';
import { failureKind } from '../model/failure-kind.ts';
import type { DatesAnswer } from './capabilities.ts';
import type { ProbeContext } from './clear-probe.ts';

const BODY = 'capability probe of Holdfast, safe to delete\n';
/** Many services round dates to seconds, so a change in the same second as the upload would not be visible. */
const SECOND_MS = 1_000;

/**
 * Changes the tags and the legal hold of the object `key`, which the probe wrote before its other requests. Returns
 * whether the version's date changed; undefined if the service refuses all changes. Rejects with any other error from
 * the store.
 */
export async function askDates(
  key: string,
  context: ProbeContext,
): Promise<DatesAnswer | undefined> {
  const uploaded = await newestOf(key, context);
  if (!uploaded) return undefined;
  await waitForLater(uploaded.lastModifiedAt, `${key}-later`, context);
  if (!(await changeAll(key, context))) return undefined;
  await put(key, context);
  const { versions } = await listed(key, context);
  const covered = versions.find(({ versionId }) => versionId === uploaded.versionId);
  if (!covered) return undefined;
  return covered.lastModifiedAt === uploaded.lastModifiedAt ? 'kept' : 'changed';
}

/** Waits until new writes have a later date than `than` (milliseconds since 1970). */
async function waitForLater(than: number, key: string, context: ProbeContext): Promise<void> {
  await put(key, context);
  const later = await newestOf(key, context);
  if (later && later.lastModifiedAt > than) return;
  await context.clock.sleep(SECOND_MS, context.signal);
}

/** Changes the tags and, with Object Lock, the legal hold. Returns whether the service accepted any change. */
async function changeAll(
  key: string,
  { destination, bucket, signal }: ProbeContext,
): Promise<boolean> {
  const ref = { bucket: destination.bucket, key };
  const tags = [{ key: 'holdfast', value: 'probe' }];
  const changes = [() => destination.store.putObjectTags({ ...ref, tags }, { signal })];
  const hold = () => destination.store.putLegalHold({ ...ref, legalHold: true }, { signal });
  const all = bucket === 'object-lock' ? [...changes, hold] : changes;
  let isDone = false;
  for (const change of all) isDone = (await isTaken(change)) || isDone;
  return isDone;
}

async function isTaken(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (failureKind(error) === 'refused') return false;
    throw error;
  }
}

function put(key: string, { destination: { store, bucket }, signal }: ProbeContext) {
  return store.putObject({ bucket, key, body: bytesBody(BODY) }, { signal });
}

async function newestOf(key: string, context: ProbeContext) {
  const { versions } = await listed(key, context);
  return versions[0]?.key === key ? versions[0] : undefined;
}

function listed(key: string, { destination: { store, bucket }, signal }: ProbeContext) {
  return store.listVersions({ bucket, prefix: key }, { signal });
}
