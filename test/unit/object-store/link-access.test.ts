/** Tests which requests a presigned URL allows. */

import { expect, test } from 'vitest';

import type { LinkPrincipal } from '../../../src/base/principal.ts';
import type { Action } from '../../../src/object-store/action.ts';
import { isLinkUse } from '../../../src/object-store/rules/link-access.ts';

const get: LinkPrincipal = { kind: 'link', does: 'get', bucket: 'box', key: 'a' };
const getVersion: LinkPrincipal = { ...get, versionId: 'v1' };
const put: LinkPrincipal = { ...get, does: 'put' };

const may = (link: LinkPrincipal, action: Action, key: string | undefined, versionId?: string) =>
  isLinkUse(link, { action, bucket: 'box', key, versionId });

test.each([
  [get, 'GetObject', 'a', 'v2'],
  [get, 'GetObject', 'a', undefined],
  [getVersion, 'GetObjectVersion', 'a', 'v1'],
  [getVersion, 'GetObjectVersion', 'a', undefined],
  [put, 'PutObject', 'a', undefined],
] as const)(
  'the presigned URL %o allows the action %s on the key %s and the version %s',
  (link, action, key, versionId) => {
    expect(may(link, action, key, versionId)).toBe(true);
  },
);

test.each([
  [get, 'GetObject', 'b', 'v1'],
  [get, 'GetObject', undefined, undefined],
  [get, 'GetObjectVersion', 'a', 'v1'],
  [get, 'PutObject', 'a', undefined],
  [get, 'DeleteObject', 'a', 'v1'],
  [get, 'GetObjectAcl', 'a', 'v1'],
  [get, 'ListBucket', undefined, undefined],
  [getVersion, 'GetObjectVersion', 'a', 'v2'],
  [getVersion, 'GetObject', 'a', 'v1'],
  [put, 'GetObject', 'a', 'v1'],
  [put, 'PutObject', 'b', undefined],
  [put, 'PutObjectAcl', 'a', undefined],
  [put, 'PutObjectRetention', 'a', undefined],
] as const)(
  'the presigned URL %o does not allow the action %s on the key %s and the version %s',
  (link, action, key, versionId) => {
    expect(may(link, action, key, versionId)).toBe(false);
  },
);

test('a presigned URL allows nothing in a bucket other than its own', () => {
  expect(isLinkUse(get, { action: 'GetObject', bucket: 'other', key: 'a' })).toBe(false);
});
