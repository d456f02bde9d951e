/** A copy that keeps the rights of others on it, which a copy by itself resets (specification, "What the service does" 6). */

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

export type RightsKeepingStore = CopyingStore & Pick<AccessKeeper, 'getObjectAcl'>;

/** What a service answers that has no lists, or does not let us read or give this one. */
const NOT_LET: readonly StorageErrorCode[] = [
  'AccessControlListNotSupported',
  'AccessDenied',
  'InvalidArgument',
  'MethodNotAllowed',
  'NotImplemented',
];

export interface CopiedWithRights {
  readonly etag: string;
  readonly versionId?: string;
  /** False where the service did not tell them, or did not take them: nobody else has any on the copy. */
  readonly rightsKept: boolean;
}

export async function copyWithRights(
  store: RightsKeepingStore,
  request: WholeCopyRequest,
  info: ObjectInfo,
  options: WholeCopyOptions,
): Promise<CopiedWithRights> {
  const call = defined({ signal: options.signal });
  const grants = await rightsOfOthers(store, request.source, call);
  const copied = async (copy: WholeCopyRequest, rightsKept: boolean) => {
    const { etag, versionId } = await copyWhole(store, copy, info, options);
    return defined({ etag, versionId, rightsKept });
  };
  if (grants === undefined || grants.length === 0) return copied(request, grants !== undefined);
  try {
    return await copied({ ...request, acl: { grants } }, true);
  } catch (error) {
    if (!isStorageError(error, ...NOT_LET)) throw error;
    return copied(request, false);
  }
}

/** All grants of the list, where anybody but the owner has one. Undefined where the list cannot be read. */
export async function rightsOfOthers(
  store: Pick<AccessKeeper, 'getObjectAcl'>,
  ref: ObjectRef,
  call: CallOptions,
): Promise<readonly Grant[] | undefined> {
  try {
    const { owner, grants } = await store.getObjectAcl(ref, call);
    return grants.some(({ grantee }) => grantee !== owner) ? grants : [];
  } catch (error) {
    if (isStorageError(error, ...NOT_LET)) return undefined;
    throw error;
  }
}
