/**
 * Removes the versions and unfinished uploads that capability probes left behind, including interrupted probes. Only
 * probes write below `.holdfast/probe/`, so these objects can be removed regardless of the job or machine.
 */

import { allDone } from '../../base/all-done.ts';
import { eachAtOnce } from '../../base/at-once.ts';
import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ListedUpload, UploadPage } from '../../object-store/multipart.ts';
import type { ObjectRef } from '../../object-store/object-store.ts';
import { RESERVED_FOLDER } from '../model/local-path.ts';
import { dropUpload, type Destination } from '../objects/destination.ts';
import { failureKind } from '../model/failure-kind.ts';
import type { BucketKind } from '../model/types.ts';

export interface ProbeContext {
  readonly destination: Destination;
  readonly bucket: BucketKind;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Number of refused deletes after which the cleanup stops. In a bucket with a default retention, the service refuses to
 * delete any version.
 */
const MOST_REFUSALS = 8;
const DELETES_AT_ONCE = 8;

/**
 * Removes objects and uploads below `folder` that are older than `before` (milliseconds since 1970). Objects that
 * cannot be removed have only a few bytes and stay until a later probe removes them.
 */
export async function clearProbe(
  folder: string,
  context: ProbeContext,
  before = Number.POSITIVE_INFINITY,
): Promise<void> {
  const refusals = await allDone([
    abortUploads(folder, context, before),
    removeVersions(folder, context, before),
  ]);
  for (const refused of refusals) if (refused !== undefined) logRest(folder, refused, context);
}

/** Aborts a probe's multipart uploads when its job is removed, because no later probe will abort them. */
export async function abortProbeUploads(context: UploadsContext): Promise<void> {
  const folder = probeFolder(context.destination);
  const refused = await abortUploads(folder, context);
  if (refused !== undefined) logRest(folder, refused, context);
}

/** Returns the key prefix below which only probes write. */
export function probeFolder({ prefix }: Destination): string {
  return `${prefix}${RESERVED_FOLDER}/probe/`;
}

type UploadsContext = Pick<ProbeContext, 'destination' | 'logger' | 'signal'>;

function logRest(folder: string, refused: unknown, { logger }: UploadsContext): void {
  logger.debug(
    { folder, error: errorMessage(refused) },
    'clear capability probe: some objects or uploads remain',
  );
}

/** Aborts the multipart uploads below `folder`. Returns the error if a request is refused. */
async function abortUploads(
  folder: string,
  context: UploadsContext,
  before = Number.POSITIVE_INFINITY,
): Promise<unknown> {
  const wholeBucket = { ...context.destination, prefix: '' };
  let refused: unknown;
  const unlisted = await refusalOf(async () => {
    for await (const upload of uploadsBelow(folder, context)) {
      if (upload.initiatedAt >= before) continue;
      const abort = () => dropUpload(wholeBucket, upload, context.signal);
      refused = (await refusalOf(abort)) ?? refused;
    }
  });
  return unlisted ?? refused;
}

async function* uploadsBelow(
  prefix: string,
  { destination: { store, bucket }, signal }: UploadsContext,
): AsyncGenerator<ListedUpload> {
  let after: UploadPage['next'];
  do {
    const page = await store.listUploads({ bucket, prefix, ...defined({ ...after }) }, { signal });
    yield* page.uploads;
    after = page.next;
  } while (after);
}

/** Deletes the versions below `folder`. Returns the error if a delete is refused. */
async function removeVersions(
  folder: string,
  context: ProbeContext,
  before: number,
): Promise<unknown> {
  const refused: unknown[] = [];
  const untilRefused = async function* () {
    for await (const ref of refsBelow(folder, context, before)) {
      if (refused.length >= MOST_REFUSALS) return;
      yield ref;
    }
  };
  await eachAtOnce(untilRefused(), DELETES_AT_ONCE, async (ref) => {
    const refusal = await remove(ref, context);
    if (refusal !== undefined) refused.push(refusal);
  });
  return refused[0];
}

/**
 * Deletes a version. If the service refuses, lifts the legal hold that the probe set, and tries again. Returns the
 * error if the second delete is refused too.
 */
async function remove(ref: ObjectRef, context: ProbeContext): Promise<unknown> {
  const { destination, bucket, signal } = context;
  const first = await refusalOf(() => destination.store.deleteObject(ref, { signal }));
  if (first === undefined || bucket !== 'object-lock') return first;
  const held = await refusalOf(() =>
    destination.store.putLegalHold({ ...ref, legalHold: false }, { signal }),
  );
  return held ?? (await refusalOf(() => destination.store.deleteObject(ref, { signal })));
}

async function refusalOf(request: () => Promise<unknown>): Promise<unknown> {
  try {
    await request();
    return undefined;
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    return error;
  }
}

async function* refsBelow(
  prefix: string,
  { destination: { store, bucket: name }, bucket, signal }: ProbeContext,
  before: number,
): AsyncGenerator<ObjectRef> {
  if (bucket === 'unversioned') {
    const { objects } = await store.listObjects({ bucket: name, prefix }, { signal });
    for (const { key, lastModifiedAt } of objects)
      if (lastModifiedAt < before) yield { bucket: name, key };
    return;
  }
  let after: { readonly keyMarker?: string; readonly versionIdMarker?: string } | undefined;
  do {
    const page = await store.listVersions(
      { bucket: name, prefix, ...defined({ ...after }) },
      { signal },
    );
    for (const { key, versionId, lastModifiedAt } of page.versions)
      if (lastModifiedAt < before) yield { bucket: name, key, versionId };
    after = page.next;
  } while (after);
}
