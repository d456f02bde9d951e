/**
 * Saves objects in a bucket without versioning. The service copies them to another key before they are replaced or
 * deleted. The copies expire after 30 days.
 */

import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { DAY_MS } from '../../base/durations.ts';
import type { Action } from '../plan/action.ts';
import { MAX_KEY_BYTES } from '../objects/object-metadata.ts';
import { RESERVED_FOLDER, pathOfKey } from '../model/local-path.ts';
import { isCopyOf } from './copy-object.ts';
import { safeNow } from '../objects/destination.ts';
import { examineHead, hold } from './step-failure.ts';
import type { PerformContext, Step, Work } from './step-types.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Destination } from '../objects/destination.ts';

type SaveHead = Extract<Action, { kind: 'save-head' }>;

const KEPT_DAYS = 30;
const DAY_FOLDER = /^\d{8}\/$/;

/**
 * Copies the current object to another key. The copy request requires the object's ETag, so that it saves exactly the
 * content that the next step replaces or deletes.
 */
export async function saveHead(
  { attempts }: Work,
  action: SaveHead,
  context: PerformContext,
): Promise<Step> {
  const { destination, clock, tracker, signal } = context;
  const { store, bucket, prefix } = destination;
  const { key, head, into, next } = action;
  const aside = savedKey({ key, head, into }, clock.now());
  const saved = prefix + aside;
  if (Buffer.byteLength(saved) > MAX_KEY_BYTES) return hold(action, TOO_LONG, context);
  const source = { bucket, key: prefix + key };
  const sourceConditions = { ifMatch: [head.etag] };
  const copy = { source, bucket, key: saved, sourceConditions };
  const { etag } = await store.copyObject(copy, { signal });
  // The copy is checked, because a service that ignores the condition may have copied different content.
  if (!(await isCopyOf(destination, { key, etag: head.etag }, { key: aside, etag }, signal)))
    return { is: 'again', works: [{ action: examineHead(action), attempts: attempts + 1 }] };
  const message = `the previous object is kept as ${saved} for ${KEPT_DAYS} days`;
  // Moved files are reported together in one activity log entry.
  if (!tracker.isMoved(key))
    tracker.say({ level: 'info', action: 'save', path: pathOfKey(key), message });
  return { is: 'again', works: [{ action: savedIn(next, aside), attempts }] };
}

/** Adds the key of the saved copy to the next action, so that the conflict log records it. */
function savedIn(next: SaveHead['next'], savedAs: string): SaveHead['next'] {
  if (next.kind === 'delete' || !next.supersedes) return next;
  return { ...next, supersedes: { ...next.supersedes, savedAs } };
}

export const TOO_LONG =
  'its key is too long for a saved copy, and the bucket has no versioning, so nothing is changed; ' +
  'shorten the names, or enable versioning on the bucket';

/**
 * Returns the key for a saved copy. The ETag distinguishes copies from the same day. The key ends with the original
 * key, so that users can recognise it.
 */
export function savedKey(
  { key, head, into }: Pick<SaveHead, 'key' | 'head' | 'into'>,
  now: number,
): string {
  return `${RESERVED_FOLDER}/${into}/${dayOf(now)}/${head.etag}/${key}`;
}

export interface ExpiryContext {
  readonly destination: Destination;
  readonly state: StateFile;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Removes copies that were saved more than 30 days ago, except those that a conflict still needs. A failed removal is
 * retried a day later. A wrong clock removes nothing, because both the local and the service's time must agree.
 */
export async function expireSaved(context: ExpiryContext, signal: AbortSignal): Promise<void> {
  const { destination, logger } = context;
  try {
    const now = await safeNow(context, signal);
    if (now === undefined) return;
    const savedBefore = now - KEPT_DAYS * DAY_MS;
    const before = dayOf(savedBefore);
    for (const into of ['conflict', 'trash']) {
      const folder = `${destination.prefix}${RESERVED_FOLDER}/${into}/`;
      for (const day of await foldersIn(destination, folder, signal)) {
        const name = day.slice(folder.length);
        if (DAY_FOLDER.test(name) && name < before)
          await removeBelow(context, { prefix: day, savedBefore }, signal);
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    logger.warn(
      { bucket: destination.bucket, error: errorMessage(error) },
      'expire saved objects: failed, retrying later',
    );
  }
}

async function foldersIn(
  { store, bucket }: Destination,
  prefix: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const folders: string[] = [];
  let continuationToken: string | undefined;
  do {
    const request = { bucket, prefix, delimiter: '/', ...defined({ continuationToken }) };
    const page = await store.listObjects(request, { signal });
    for (const folder of page.commonPrefixes) folders.push(folder);
    continuationToken = page.nextToken;
  } while (continuationToken !== undefined);
  return folders;
}

async function removeBelow(
  { destination, state }: ExpiryContext,
  { prefix, savedBefore }: { readonly prefix: string; readonly savedBefore: number },
  signal: AbortSignal,
): Promise<void> {
  const { store, bucket } = destination;
  let continuationToken: string | undefined;
  do {
    const request = { bucket, prefix, ...defined({ continuationToken }) };
    const { objects, nextToken } = await store.listObjects(request, { signal });
    for (const { key, lastModifiedAt } of objects)
      if (
        lastModifiedAt < savedBefore &&
        !state.conflicts.needs(key.slice(destination.prefix.length))
      )
        await store.deleteObject({ bucket, key }, { signal });
    continuationToken = nextToken;
  } while (continuationToken !== undefined);
}

/** Returns the UTC day of a time as text, such as `20261121`. */
function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10).replaceAll('-', '');
}
