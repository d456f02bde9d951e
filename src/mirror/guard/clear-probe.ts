/** Removes what a probe wrote, and what one that was broken off left behind. */

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ObjectRef } from '../../object-store/object-store.ts';
import { failureKind } from '../perform/failures.ts';
import type { Place } from '../target.ts';
import type { BucketKind } from '../types.ts';

export interface ProbeContext {
  readonly place: Place;
  readonly bucket: BucketKind;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** A default retention of the bucket keeps all of it: then there is no use in asking for each. */
const MOST_REFUSALS = 8;

/** `before`: leaves what is younger. What is kept stays, a few bytes each: a later probe removes it. */
export async function clearProbe(
  folder: string,
  context: ProbeContext,
  before = Number.POSITIVE_INFINITY,
): Promise<void> {
  let refused: unknown;
  let refusals = 0;
  for await (const ref of refsBelow(folder, context, before)) {
    refused = (await remove(ref, context)) ?? refused;
    if (refused !== undefined && ++refusals >= MOST_REFUSALS) break;
  }
  if (refused === undefined) return;
  context.logger.debug({ folder, error: errorMessage(refused) }, 'clear probe: some of it stays');
}

/** Returns why it was refused, if so. The probe's legal holds are its own: they are lifted. */
async function remove(ref: ObjectRef, context: ProbeContext): Promise<unknown> {
  const { place, bucket, signal } = context;
  const first = await refusalOf(() => place.store.deleteObject(ref, { signal }));
  if (first === undefined || bucket !== 'object-lock') return first;
  const held = await refusalOf(() =>
    place.store.putLegalHold({ ...ref, legalHold: false }, { signal }),
  );
  return held ?? (await refusalOf(() => place.store.deleteObject(ref, { signal })));
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
  { place: { store, bucket: name }, bucket, signal }: ProbeContext,
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
