/**
 * Reads and applies the headers, tags and ACL of objects, from the job's rules or from another client's changes. A put
 * resets all of them and a copy resets the ACL, so the mirror sets them again.
 */

import { defined } from '../../base/defined.ts';
import { isAbort } from '../../base/errors.ts';
import { isDerivedType } from '../../base/media-type.ts';
import type { AclRequest } from '../../object-store/access.ts';
import { statedAttributes } from '../../object-store/copy-whole.ts';
import type { ObjectInfo } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { failureKind } from '../model/failure-kind.ts';
import type { Destination, VersionName } from './destination.ts';
import type { ObjectHeaders, SettingsRule } from '../model/types.ts';
import type { Tag } from '../../object-store/tags.ts';
import { keyMatcher } from '../local/patterns/pattern-matcher.ts';

export interface ObjectSettings {
  /** Headers that override those derived from the filename. */
  readonly headers: ObjectHeaders;
  readonly tags?: readonly Tag[];
  readonly acl?: AclRequest;
}

export interface PreserveOptions {
  readonly signal: AbortSignal;
  /** Whether the service may support object ACLs. */
  readonly hasAcls: boolean;
  /** Called with the error if the service does not return the ACL. */
  readonly onUnread: (error: unknown) => void;
}

/**
 * Reads the settings of a version, or of the current version if no id is given. Returns empty settings if the version
 * does not exist.
 */
export async function readSettings(
  destination: Destination,
  version: VersionName,
  { signal, hasAcls, onUnread }: PreserveOptions,
): Promise<ObjectSettings> {
  const { store, bucket, prefix } = destination;
  const { key, versionId } = version;
  const ref = { bucket, key: prefix + key, ...defined({ versionId }) };
  try {
    const [{ info }, acl] = await Promise.all([
      store.headObject(ref, { signal }),
      hasAcls
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

/** Matches the content type that services return for objects without a stored content type. */
const UNSTATED_TYPE = /^(?:application|binary)\/octet-stream$/;

/**
 * Returns the headers to preserve. Drops a content type that was derived from the filename, because a new name may
 * imply another type.
 */
function headersOf(info: ObjectInfo, key: string): ObjectHeaders {
  const { metadata: _, websiteRedirect: __, contentType, ...stated } = statedAttributes(info);
  const isOwn = isDerivedType(contentType, key) || UNSTATED_TYPE.test(contentType ?? '');
  return { ...stated, ...(!isOwn && defined({ contentType })) };
}

/** Returns the ACL to preserve; undefined for the default ACL, which grants permissions only to the owner. */
function aclOf({
  owner,
  grants,
}: Awaited<ReturnType<Destination['store']['getObjectAcl']>>): AclRequest | undefined {
  return grants.some(({ grantee }) => grantee !== owner) ? { grants } : undefined;
}

/**
 * Runs `read`. Returns undefined if the ACL cannot be read, because many services do not support object ACLs or have
 * their own format.
 */
async function unlessUnreadable<T>(
  read: () => Promise<T>,
  onUnread: PreserveOptions['onUnread'],
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

/**
 * Returns a function that applies the job's rules to a key. Each header, the tags and the ACL come from the last
 * matching rule that sets them.
 */
export function settingsByRules(rules: readonly SettingsRule[]): (key: string) => ObjectSettings {
  const matchers = rules.map(({ match, ...rule }) => ({ matches: keyMatcher([match]), rule }));
  return (key) => {
    const rulesOfKey = matchers.filter(({ matches }) => matches(key)).map(({ rule }) => rule);
    const tags = rulesOfKey.findLast((rule) => rule.tags)?.tags;
    const canned = rulesOfKey.findLast((rule) => rule.acl)?.acl;
    const headers = Object.assign({}, ...rulesOfKey.map((rule) => rule.headers)) as ObjectHeaders;
    return { headers, ...(tags && { tags }), ...(canned && { acl: { canned } }) };
  };
}
