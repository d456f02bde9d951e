/** Converts the fields of a POST form to the headers of a PutObject request, and builds the response to the upload. */

import { StorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../dialect.ts';
import { type Dialects, readDialect, unifyHeaderFamilies } from '../header-families.ts';
import { Headers } from '../headers.ts';
import { tagsHeaderOf } from '../operations/tagging.ts';
import { percentEncode } from '../percent.ts';
import type { WireHeaders } from '../wire.ts';
import { element, writeXml } from '../xml/element.ts';
import type { FormFields } from './post-policy.ts';

/** Form fields that become the PutObject header of the same name. */
const ATTRIBUTES = new Set([
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
  'if-match',
  'if-none-match',
]);

/** Form fields of signature version 4, without the vendor prefix. These fields do not become PutObject headers. */
const SIGNATURE_FIELDS = new Set(['algorithm', 'credential', 'date', 'signature']);
/**
 * Vendor headers that do not describe the object, without the vendor prefix. Forms do not support these headers, so a
 * field with such a name is rejected rather than ignored.
 */
const REQUEST_HEADERS = new Set([
  'content-sha256',
  'decoded-content-length',
  'expected-bucket-owner',
  'trailer',
]);

const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** Matches all control characters except the tab. They are invalid in headers. */
const CONTROL = /(?!\t)\p{Cc}/u;

export function dialectOfForm(fields: FormFields, dialects: Dialects): Dialect {
  const headers = new Headers([...fields.keys()].map((name) => [name, '']));
  return fields.has('awsaccesskeyid')
    ? dialects.amz
    : readDialect({ headers, query: [] }, dialects);
}

/**
 * Returns the object key, with `${filename}` replaced by the name of the uploaded file. Throws InvalidArgument if the
 * key is missing or empty, or contains NUL.
 */
export function keyOfForm(fields: FormFields, filename: string): string {
  const key = fields.get('key');
  if (key === undefined) {
    throw badField('key', "Bucket POST must contain a field named 'key'");
  }
  // `replaceAll` takes a function here so that a `$` in the file name is not a replacement pattern.
  const filled = key.replaceAll('${filename}', () => filename);
  if (filled !== '' && !filled.includes('\0')) return filled;
  throw badField('key', 'it must not be empty or contain NUL');
}

/**
 * Converts form fields to PutObject headers with the dialect's vendor prefix. Throws a StorageError, such as
 * InvalidArgument, for a field that cannot become a header.
 */
export function headersOfForm(fields: FormFields, dialect: Dialect, dialects: Dialects): Headers {
  const { headerPrefix } = dialect;
  const sent: (readonly [string, string])[] = [];
  for (const [name, value] of fields) {
    const header = headerOf(name, headerPrefix, dialects);
    if (header === undefined) continue;
    if (name === 'tagging') {
      sent.push([header, tagsHeaderOf(value)]);
      continue;
    }
    if (!FIELD_NAME.test(name)) throw badField(name, 'its name is not a valid header name');
    if (CONTROL.test(value)) throw badField(name, 'it must not contain control characters');
    sent.push([header, Buffer.from(value, 'utf8').toString('latin1')]);
  }
  const unified = unifyHeaderFamilies(new Headers(sent), dialect, dialects);
  const [twice] = unified.repeated;
  if (twice !== undefined) throw badField(twice, 'it must not be present twice');
  return unified;
}

/**
 * Returns the header name for a form field, or undefined for a field that does not describe the object and is ignored.
 * Throws NotImplemented for a field that forms do not support.
 */
function headerOf(name: string, prefix: string, { svc, amz }: Dialects): string | undefined {
  if (ATTRIBUTES.has(name)) return name;
  if (name === 'acl' || name === 'tagging') return prefix + name;
  const family = [svc, amz].find(({ headerPrefix }) => name.startsWith(headerPrefix));
  if (family === undefined) {
    if (name !== 'content-md5') return undefined;
    throw notImplemented(name);
  }
  const suffix = name.slice(family.headerPrefix.length);
  if (REQUEST_HEADERS.has(suffix)) throw notImplemented(name);
  return SIGNATURE_FIELDS.has(suffix) ? undefined : name;
}

/** The response to a successful form upload. */
export interface FormAnswer {
  readonly status: 200 | 201 | 204 | 303;
  readonly headers: WireHeaders;
  readonly body?: string;
}

export interface StoredForm {
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
  /** The URL of the object, with the host name of the upload request. */
  readonly location: string;
}

const STATUSES: ReadonlyMap<string, 200 | 201> = new Map([
  ['200', 200],
  ['201', 201],
]);

/**
 * Returns a function that builds the response to a successful upload. Throws InvalidArgument if the form's redirect is
 * not an http or https URL.
 */
export function answerOfForm(fields: FormFields): (stored: StoredForm) => FormAnswer {
  const redirect = redirectOf(fields);
  const status = STATUSES.get(fields.get('success_action_status') ?? '') ?? 204;
  return ({ bucket, key, etag, location }) => {
    if (redirect !== undefined) {
      return { status: 303, headers: [['location', withStored(redirect, { bucket, key, etag })]] };
    }
    const headers: WireHeaders = [['location', location]];
    if (status !== 201) return { status, headers };
    const document = element('PostResponse', [
      element('Location', location),
      element('Bucket', bucket),
      element('Key', key),
      element('ETag', `"${etag}"`),
    ]);
    return {
      status,
      headers: [...headers, ['content-type', 'application/xml']],
      body: writeXml(document),
    };
  };
}

/** Matches characters that a URL parser would silently remove or percent-encode. */
const NO_URL = /[\p{Cc} ]/u;

function redirectOf(fields: FormFields): URL | undefined {
  const name = fields.has('success_action_redirect') ? 'success_action_redirect' : 'redirect';
  const text = fields.get(name);
  if (text === undefined || text === '') return undefined;
  const url = NO_URL.test(text) ? undefined : URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw badField(name, 'it must be an http or https URL');
}

function withStored(url: URL, stored: Omit<StoredForm, 'location'>): string {
  const { bucket, key, etag } = stored;
  const parameters = Object.entries({ bucket, key, etag: `"${etag}"` }).map(
    ([name, value]) => `${name}=${percentEncode(value)}`,
  );
  const redirect = new URL(url);
  redirect.search = [redirect.search.slice(1), ...parameters].filter(Boolean).join('&');
  return redirect.href;
}

/** Returns the error for an invalid form field. The message omits the value, which may be a secret. */
function badField(name: string, reason: string): StorageError {
  return new StorageError('InvalidArgument', `read form field ${name}: ${reason}`, {
    details: { ArgumentName: name },
  });
}

function notImplemented(name: string): StorageError {
  return new StorageError('NotImplemented', `read form: the field ${name} is not implemented`, {
    details: { Header: name },
  });
}
