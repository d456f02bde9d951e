/** What a form asks for, in the words of PutObject: whatever a put may say in headers, a form says in fields. */

import { StorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../dialect.ts';
import { type Dialects, readDialect, unifyHeaderFamilies } from '../header-families.ts';
import { Headers } from '../headers.ts';
import { tagsHeaderOf } from '../operations/tagging.ts';
import { percentEncode } from '../percent.ts';
import type { WireHeaders } from '../wire.ts';
import { element, writeXml } from '../xml/element.ts';
import type { FormFields } from './post-policy.ts';

/** Standard attributes, as headers of a put. */
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

/** Of version 4, without the dialect's prefix; a put has no such headers. */
const SIGNATURE_FIELDS = new Set(['algorithm', 'credential', 'date', 'signature']);
/** Of a request, not of an object: a put reads them elsewhere, where no form looks, and would pass over these. */
const REQUEST_HEADERS = new Set([
  'content-sha256',
  'decoded-content-length',
  'expected-bucket-owner',
  'trailer',
]);

const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** All but a tab, which headers may hold. */
const CONTROL = /(?!\t)\p{Cc}/u;

export function dialectOfForm(fields: FormFields, dialects: Dialects): Dialect {
  const headers = new Headers([...fields.keys()].map((name) => [name, '']));
  return fields.has('awsaccesskeyid')
    ? dialects.amz
    : readDialect({ headers, query: [] }, dialects);
}

/** The key, with the file's name in the place of `${filename}`. Throws InvalidArgument. */
export function keyOfForm(fields: FormFields, filename: string): string {
  const key = fields.get('key');
  if (key === undefined) {
    throw badField('key', "Bucket POST must contain a field named 'key'");
  }
  // By a function: a name may hold what a replacement text would take for a pattern.
  const filled = key.replaceAll('${filename}', () => filename);
  if (filled !== '' && !filled.includes('\0')) return filled;
  throw badField('key', 'it is empty or holds a NUL');
}

/** The fields as headers of a PutObject, vendor names under the dialect's prefix. Throws InvalidArgument. */
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
    if (!FIELD_NAME.test(name)) throw badField(name, 'its name is not one of a header');
    if (CONTROL.test(value)) throw badField(name, 'it holds control characters');
    sent.push([header, Buffer.from(value, 'utf8').toString('latin1')]);
  }
  const unified = unifyHeaderFamilies(new Headers(sent), dialect, dialects);
  const [twice] = unified.repeated;
  if (twice !== undefined) throw badField(twice, 'it is given twice');
  return unified;
}

/** Undefined for a field that says nothing about the object; it may be in the form all the same. */
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

/** What is answered once the object is stored. */
export interface FormAnswer {
  readonly status: 200 | 201 | 204 | 303;
  readonly headers: WireHeaders;
  readonly body?: string;
}

export interface StoredForm {
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
  /** Of the object, as its uploader addressed the bucket. */
  readonly location: string;
}

const STATUSES: ReadonlyMap<string, 200 | 201> = new Map([
  ['200', 200],
  ['201', 201],
]);

/** Returns the response to a successful upload. Throws InvalidArgument for a redirect that no browser should follow. */
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

/** A parser of URLs would drop them in silence. */
const NO_URL = /[\p{Cc} ]/u;

function redirectOf(fields: FormFields): URL | undefined {
  const name = fields.has('success_action_redirect') ? 'success_action_redirect' : 'redirect';
  const text = fields.get(name);
  if (text === undefined || text === '') return undefined;
  const url = NO_URL.test(text) ? undefined : URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw badField(name, 'it must be an address of http or https');
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

/** The error omits the value, which may be a secret. */
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
