/**
 * Sequential model of a bucket with a few keys. It supports conditional PUT and DELETE, GET, HEAD,
 * copies, and the completion of multipart uploads.
 */

import { createHash } from 'node:crypto';

import type { SequentialModel } from './linearizability.ts';

export interface Conditions {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: '*';
}

export type ObjectCall =
  | {
      readonly kind: 'put' | 'complete';
      readonly key: string;
      readonly text: string;
      readonly conditions: Conditions;
    }
  | {
      readonly kind: 'copy';
      readonly key: string;
      readonly source: string;
      readonly conditions: Conditions;
    }
  | { readonly kind: 'delete'; readonly key: string; readonly conditions: Conditions }
  | { readonly kind: 'get'; readonly key: string }
  | { readonly kind: 'head'; readonly key: string };

export interface ObjectAnswer {
  readonly status: number;
  readonly etag?: string;
  readonly text?: string;
}

interface StoredObject {
  readonly text: string;
  readonly etag: string;
}

/** Current objects by key. A key whose object does not exist is absent. */
type Objects = Readonly<Record<string, StoredObject>>;

const md5 = (bytes: string | Buffer) => createHash('md5').update(bytes).digest();

export const objectModel: SequentialModel<Objects, ObjectCall, ObjectAnswer> = {
  initial: {},
  apply: (objects, call) => {
    const current = objects[call.key];
    if (call.kind === 'get' || call.kind === 'head') {
      return { state: objects, answer: current ? read(current, call.kind) : { status: 404 } };
    }
    const source = call.kind === 'copy' ? objects[call.source] : undefined;
    if (call.kind === 'copy' && source === undefined)
      return { state: objects, answer: { status: 404 } };
    const refused = refusal(call.conditions, current?.etag);
    if (refused !== undefined) return { state: objects, answer: { status: refused } };
    if (call.kind === 'delete') {
      const { [call.key]: _gone, ...state } = objects;
      return { state, answer: { status: 204 } };
    }
    const stored = source ?? written(call as ObjectCall & { readonly text: string });
    return {
      state: { ...objects, [call.key]: stored },
      answer: { status: 200, etag: stored.etag },
    };
  },
  nameOf: (objects) =>
    Object.entries(objects)
      .map(([key, { text, etag }]) => `${key}=${text}(${etag})`)
      .sort()
      .join(),
  sameAnswer: (expected, given) =>
    expected.status === given.status &&
    expected.etag === given.etag &&
    expected.text === given.text,
};

function read(object: StoredObject, kind: 'get' | 'head'): ObjectAnswer {
  return kind === 'get' ? { status: 200, ...object } : { status: 200, etag: object.etag };
}

function written({ kind, text }: ObjectCall & { readonly text: string }): StoredObject {
  const etag = kind === 'put' ? md5(text).toString('hex') : `${md5(md5(text)).toString('hex')}-1`;
  return { text, etag };
}

function refusal(
  { ifMatch, ifNoneMatch }: Conditions,
  etag: string | undefined,
): number | undefined {
  if (ifNoneMatch !== undefined && etag !== undefined) return 412;
  if (ifMatch === undefined) return undefined;
  if (etag === undefined) return 404;
  return ifMatch === '*' || ifMatch === etag ? undefined : 412;
}
