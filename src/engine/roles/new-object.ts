/** Converts a put request into the values that the writer stores with the bytes of the object. */

import { defined } from '../../base/defined.ts';
import type { PutObjectRequest } from '../../object-store/object-store.ts';
import { checkNewObject } from '../../object-store/rules/new-object.ts';
import { newSealing } from '../encryption/sealing.ts';
import { encodeAttributes } from '../schema/object-info.ts';
import type { CallerContext } from './caller-context.ts';

/**
 * Returns the fields of the put command without the content, and the key for the bytes if they are to be encrypted. Throws
 * as `checkNewObject` and `resolveAcl`, and `NoSuchBucket` for an object that is to be encrypted.
 */
export function newObject(context: CallerContext, request: Omit<PutObjectRequest, 'body'>) {
  const { bucket, key, attributes, tags, lock, conditions, customerKey } = request;
  checkNewObject(request, context.parts.quotas.defaults);
  const acl = request.acl && context.resolveAcl(request.acl);
  const seal = customerKey && newSealing(customerKey, context.keyPlace(request));
  const described = defined({
    bucket,
    key,
    acl,
    tags,
    lock,
    conditions,
    attributes: encodeAttributes(attributes),
    encryption: seal?.encryption,
    sealedFor: seal?.sealedFor,
  });
  return { described, seal };
}
