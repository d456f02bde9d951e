/**
 * Decides what a website returns for a path: an object, a redirect, or an error with an error page
 * (semantics B.8).
 */

import { defined } from '../../base/defined.ts';
import { discard } from '../../object-store/body.ts';
import type { Caller } from '../../object-store/caller.ts';
import type {
  HeadObjectRequest,
  ObjectContent,
  ObjectHead,
  ObjectReader,
} from '../../object-store/object-store.ts';
import {
  folderIndexKey,
  folderRedirect,
  redirectOf,
  redirectOfError,
  shownKey,
  type WebsiteRedirect,
} from '../../object-store/rules/website.ts';
import { isStorageError, type StorageError } from '../../object-store/storage-error.ts';
import type { WebsiteConfiguration } from '../../object-store/website.ts';
import type { Dialect } from '../../protocol/dialect.ts';
import { ERROR_TABLE } from '../../protocol/error-table.ts';
import { decodeRequest } from '../../protocol/operations.ts';
import { Headers } from '../../protocol/headers.ts';
import { answerRead } from '../handlers.ts';

/** An object to return. Without a body for a HEAD request. */
export type Shown = ObjectHead & Partial<Pick<ObjectContent, 'body' | 'bytes'>>;

export type Outcome =
  | { readonly kind: 'object'; readonly shown: Shown }
  | { readonly kind: 'redirect'; readonly redirect: WebsiteRedirect }
  /** A redirect that the object itself defines, to a URL or a path. */
  | { readonly kind: 'moved'; readonly location: string }
  | {
      readonly kind: 'error';
      readonly error: StorageError;
      /** The website's error document. */
      readonly document?: Shown;
      /** The reason why the error document could not be read. */
      readonly documentError?: StorageError;
    };

export interface Visit {
  readonly bucket: string;
  /** The decoded path without its leading slash. */
  readonly path: string;
  readonly method: 'GET' | 'HEAD';
  readonly headers: Headers;
  readonly website: WebsiteConfiguration;
  /** The store with the permissions of the anonymous visitor. */
  readonly store: ObjectReader;
  readonly caller: Caller;
  readonly dialect: Dialect;
  readonly signal: AbortSignal;
}

/** The request headers that websites evaluate. Headers of the storage protocol have no effect. */
const READ_HEADERS = new Set([
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
]);

/**
 * Returns the website's outcome for a path. A StorageError becomes an error page or a redirect; any
 * other error is thrown.
 */
export async function show(visit: Visit): Promise<Outcome> {
  const { website, path } = visit;
  const redirect = redirectOf(website, path);
  if (redirect !== undefined) return { kind: 'redirect', redirect };
  try {
    const shown = await readAsked(visit, shownKey(website, path));
    const { websiteRedirect } = shown.info;
    if (websiteRedirect === undefined) return { kind: 'object', shown };
    await leave(shown);
    return { kind: 'moved', location: websiteRedirect };
  } catch (error) {
    if (!isStorageError(error)) throw error;
    return showError(visit, error);
  }
}

async function showError(visit: Visit, error: StorageError): Promise<Outcome> {
  const { website, path } = visit;
  // Handle AccessDenied too, because a caller that may not list the bucket gets AccessDenied for a missing object.
  if (isStorageError(error, 'NoSuchKey', 'AccessDenied') && (await isFolder(visit))) {
    return { kind: 'redirect', redirect: folderRedirect(path) };
  }
  const { status } = ERROR_TABLE[error.code];
  const redirect = redirectOfError(website, path, status);
  if (redirect !== undefined) return { kind: 'redirect', redirect };
  if (website.errorKey === undefined || status < 400 || status > 499) {
    return { kind: 'error', error };
  }
  try {
    return { kind: 'error', error, document: await read(visit, { key: website.errorKey }) };
  } catch (documentError) {
    if (!isStorageError(documentError)) throw documentError;
    return { kind: 'error', error, documentError };
  }
}

async function isFolder({ website, path, bucket, store, signal }: Visit): Promise<boolean> {
  const key = folderIndexKey(website, path);
  if (key === undefined) return false;
  try {
    await store.headObject({ bucket, key }, { signal });
    return true;
  } catch (error) {
    if (isStorageError(error)) return false;
    throw error;
  }
}

/** Reads an object with the range and the conditions of the request. */
function readAsked(visit: Visit, key: string): Promise<Shown> {
  const { bucket, caller, dialect } = visit;
  const headers = new Headers(visit.headers.list.filter(([name]) => READ_HEADERS.has(name)));
  const input = decodeRequest(
    'GetObject',
    { target: { bucket, key }, query: [], headers },
    dialect,
  );
  return answerRead<Shown>(input, caller, (request) => read(visit, request));
}

function read(
  { bucket, method, store, signal }: Visit,
  request: Omit<HeadObjectRequest, 'bucket'>,
): Promise<Shown> {
  const asked = { ...defined(request), bucket };
  if (method === 'HEAD') return store.headObject(asked, { signal });
  return store.getObject(asked, { signal, reusesChunks: true });
}

/** Closes a body that is not read, because an open body keeps a file or a connection open. */
async function leave({ body, bytes }: Shown): Promise<void> {
  if (body === undefined || bytes !== undefined) return;
  await discard(body);
}
