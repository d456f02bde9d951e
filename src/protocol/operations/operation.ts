/** What the table states of one operation, both directions at once. */

import type { Dialect } from '../dialect.ts';
import type { Part } from '../message.ts';
import type { XmlDocument } from '../xml/document.ts';

export interface Operation<I, O> {
  readonly method: 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly target: 'bucket' | 'object' | 'service';
  /** The query parameter whose mere presence selects the operation. */
  readonly subresource?: string;
  /** Selected by the copy-source header among those of one method and target. */
  readonly copies?: true;
  readonly request: {
    readonly parts: readonly Part<I>[];
    readonly body?: RequestBody<I>;
    /** A checksum in the headers then speaks of the object that results, and not of the request's body. */
    readonly checksumOf?: 'object';
  };
  readonly response: {
    readonly status: 200 | 204;
    readonly parts: readonly Part<O>[];
    readonly body?: ResponseBody<I, O>;
  };
}

/** `bytes`: the object's own bytes, which never pass through the table. */
type RequestBody<I> = 'bytes' | RequestDocument<I>;
type ResponseBody<I, O> = 'bytes' | ResponseDocument<I, O>;

/** What holds of a document before it is read. */
export interface DocumentRules {
  /** Of the text, where it may be longer than other documents. */
  readonly maxBytes?: number;
  /** The error for a document that is not valid text; MalformedXML if absent. */
  readonly malformed?: 'MalformedACLError' | 'MalformedPolicy' | 'MalformedXML';
}

export interface RequestDocument<I> extends DocumentRules {
  /** Absent: XML. */
  readonly contentType?: string;
  /** Whether a digest or checksum must come with it: what it asks for cannot be undone. */
  readonly needsDigest?: boolean;
  /** Undefined for no body. */
  encode(input: I, dialect: Dialect): string | undefined;
  /** The members of the input that the document holds; `body` is '' without one, `members` what headers and query gave. */
  decode(body: string, members: Partial<I>, dialect: Dialect): Partial<I>;
}

/** Answers repeat parts of their question, so writing one needs the input too. */
export interface ResponseDocument<I, O> {
  /** Absent: XML. */
  readonly contentType?: string;
  encode(output: O, input: I, dialect: Dialect): string;
  decode(body: string): Partial<O>;
}

/** What most requests' documents have a use for: a hundred grants have a thousand, cross-origin rules of 64 KiB five thousand. */
export const MAX_REQUEST_TAGS = 10_000;

export function requestDocument<I, D>(
  xml: XmlDocument<D>,
  toDocument: (input: I) => D | undefined,
  fromDocument: (document: D, dialect: Dialect) => Partial<I>,
  options: Pick<RequestDocument<I>, 'maxBytes' | 'needsDigest'> & {
    readonly mayBeEmpty?: boolean;
    /** Opening and closing ones, where there may be more than in other documents. */
    readonly maxTags?: number;
  } = {},
): RequestDocument<I> {
  const { mayBeEmpty, maxTags = MAX_REQUEST_TAGS, ...limits } = options;
  return {
    ...limits,
    encode: (input, dialect) => {
      const document = toDocument(input);
      return document === undefined ? undefined : xml.write(document, dialect.xmlNamespace);
    },
    decode: (body, _, dialect) =>
      body === '' && mayBeEmpty ? {} : fromDocument(xml.read(body, maxTags), dialect),
  };
}

export function responseDocument<I, O, D>(
  xml: XmlDocument<D>,
  toDocument: (output: O, input: I) => D,
  fromDocument: (document: D) => Partial<O>,
): ResponseDocument<I, O> {
  return {
    encode: (output, input, dialect) => xml.write(toDocument(output, input), dialect.xmlNamespace),
    decode: (body) => fromDocument(xml.read(body)),
  };
}
