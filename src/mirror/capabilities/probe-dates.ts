/**
 * Probes whether a service changes the LastModified of a version when its legal hold or tags change. Ceph RGW does so
 * for the current version, and its listing shows the new date once the version is superseded.
 */

import { bytesBody } from '../../object-store/body.ts';
import { failureKind } from '../model/failure-kind.ts';
import type { DatesAnswer } from './capabilities.ts';
import type { ProbeContext } from './clear-probe.ts';

const BODY = 'capability probe of Holdfast, safe to delete\n';
/** Precision of dates in many services. A change within the second of the upload would not be visible. */
const SECOND_MS = 1_000;

/**
 * Runs the probe. `key` has a current version that the probe wrote before its other requests. Returns undefined if the
 * service rejects all changes. Rejects with the store's errors, except for refusals.
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

/** Waits until a new write gets a later date. */
async function waitForLater(than: number, key: string, context: ProbeContext): Promise<void> {
  await put(key, context);
  const later = await newestOf(key, context);
  if (later && later.lastModifiedAt > than) return;
  await context.clock.sleep(SECOND_MS, context.signal);
}

/** Changes tags and legal hold, and returns whether the service accepted any change. */
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
