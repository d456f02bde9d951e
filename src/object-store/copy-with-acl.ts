/** Copies an object with its ACL. A plain copy resets the ACL (specification, "What the service does" 6). */

import type { AccessKeeper } from './access.ts';
import {
  copyWhole,
  type CopyingStore,
  type WholeCopyOptions,
  type WholeCopyRequest,
} from './copy-whole.ts';
import { defined } from '../base/defined.ts';
import type { CallOptions, ObjectInfo, ObjectRef } from './object-store.ts';
import type { Grant } from './rules/access/acl.ts';
import { isStorageError, type StorageErrorCode } from './storage-error.ts';

export type AclCopyingStore = CopyingStore & Pick<AccessKeeper, 'getObjectAcl'>;

/** The errors of a service that does not support ACLs, or that does not permit the caller to read or set the ACL. */
const ACL_REFUSED: readonly StorageErrorCode[] = [
  'AccessControlListNotSupported',
  'AccessDenied',
  'InvalidArgument',
  'MethodNotAllowed',
  'NotImplemented',
];

export interface CopiedWithAcl {
  readonly etag: string;
  readonly versionId?: string;
  /**
   * Whether the copy has the ACL of its source. False if the service did not permit the caller to read or set the ACL;
   * only the owner then has permissions on the copy.
   */
  readonly rightsKept: boolean;
}

export async function copyWithAcl(
  store: AclCopyingStore,
  request: WholeCopyRequest,
  info: ObjectInfo,
  options: WholeCopyOptions,
): Promise<CopiedWithAcl> {
  const call = defined({ signal: options.signal });
  const grants = await grantsToOthers(store, request.source, call);
  const copied = async (copy: WholeCopyRequest, rightsKept: boolean) => {
    const { etag, versionId } = await copyWhole(store, copy, info, options);
    return defined({ etag, versionId, rightsKept });
  };
  if (grants === undefined || grants.length === 0) return copied(request, grants !== undefined);
  try {
    return await copied({ ...request, acl: { grants } }, true);
  } catch (error) {
    if (!isStorageError(error, ...ACL_REFUSED)) throw error;
    return copied(request, false);
  }
}

/**
 * Returns the grants of the ACL if it grants permissions to anyone except the owner; otherwise returns an empty list.
 * Returns undefined if the service does not support ACLs or the caller may not read the ACL.
 */
export async function grantsToOthers(
  store: Pick<AccessKeeper, 'getObjectAcl'>,
  ref: ObjectRef,
  call: CallOptions,
): Promise<readonly Grant[] | undefined> {
  try {
    const { owner, grants } = await store.getObjectAcl(ref, call);
    return grants.some(({ grantee }) => grantee !== owner) ? grants : [];
  } catch (error) {
    if (isStorageError(error, ...ACL_REFUSED)) return undefined;
    throw error;
  }
}
