/**
 * What somebody gave an object since it was mirrored: a put in its place resets it all, and a copy under another name the
 * rights, so the mirror has to give it again.
 */

import { defined } from '../../base/defined.ts';
import { isAbort } from '../../base/errors.ts';
import { mediaTypeOf } from '../../base/media-type.ts';
import type { AclRequest } from '../../object-store/access.ts';
import { statedAttributes } from '../../object-store/copy-whole.ts';
import type { ObjectInfo } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { failureKind } from '../model/failure-kind.ts';
import type { Place, VersionName } from './destination.ts';
import type { ObjectSettings } from './object-settings.ts';
import type { ObjectHeaders } from '../model/types.ts';

export interface CarryOptions {
  readonly signal: AbortSignal;
  /** The service knows rights of objects. */
  readonly hasRights: boolean;
  /** Rights cannot be read here, and why. */
  readonly onUnread: (error: unknown) => void;
}

/** Of one version, the current one where none is named; nothing where it is gone. */
export async function readSettings(
  place: Place,
  version: VersionName,
  { signal, hasRights, onUnread }: CarryOptions,
): Promise<ObjectSettings> {
  const { store, bucket, prefix } = place;
  const { key, versionId } = version;
  const ref = { bucket, key: prefix + key, ...defined({ versionId }) };
  try {
    const [{ info }, acl] = await Promise.all([
      store.headObject(ref, { signal }),
      hasRights
        ? unlessUnreadable(async () => aclOf(await store.getObjectAcl(ref, { signal })), onUnread)
        : undefined,
    ]);
    const tags = info.tagCount ? (await store.getObjectTags(ref, { signal })).tags : undefined;
    return { headers: headersOf(info, key), ...defined({ tags, acl }) };
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey', 'NoSuchVersion', 'MethodNotAllowed')) return NOTHING;
    throw error;
  }
}

const NOTHING: ObjectSettings = { headers: {} };

/** Services answer with it where nothing was stated. */
const UNSTATED_TYPE = /^(?:application|binary)\/octet-stream$/;

/** What its name alone tells is told by the new name. */
function headersOf(info: ObjectInfo, key: string): ObjectHeaders {
  const { metadata: _, websiteRedirect: __, contentType, ...stated } = statedAttributes(info);
  const isOwn = contentType === mediaTypeOf(key) || UNSTATED_TYPE.test(contentType ?? '');
  return { ...stated, ...(!isOwn && defined({ contentType })) };
}

/** Undefined for the owner's rights alone, which every object has. */
function aclOf({
  owner,
  grants,
}: Awaited<ReturnType<Place['store']['getObjectAcl']>>): AclRequest | undefined {
  return grants.some(({ grantee }) => grantee !== owner) ? { grants } : undefined;
}

/** Many services know no rights of single objects, or tell them in words of their own. */
async function unlessUnreadable<T>(
  read: () => Promise<T>,
  onUnread: CarryOptions['onUnread'],
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const isGone = isStorageError(error, 'NoSuchKey', 'NoSuchVersion', 'MethodNotAllowed');
    if (isAbort(error) || isGone || failureKind(error) === 'transient') throw error;
    onUnread(error);
    return undefined;
  }
}
