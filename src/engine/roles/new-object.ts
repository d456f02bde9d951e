/** Converts a put request to the values that the writer stores together with the object's bytes. */

import { defined } from '../../base/defined.ts';
import type { PutObjectRequest } from '../../object-store/object-store.ts';
import { checkNewObject } from '../../object-store/rules/new-object.ts';
import { newSealing } from '../encryption/sealing.ts';
import { encodeAttributes } from '../schema/object-info.ts';
import type { CallerContext } from './caller-context.ts';

/**
 * Returns the fields of the put command except the content, and the key for the bytes if they must be encrypted. Throws
 * the errors of `checkNewObject` and `resolveAcl`. For an object that must be encrypted, also throws `NoSuchBucket`.
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
