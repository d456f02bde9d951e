/** Declares the types with which each operation is defined once, for both encoding and decoding. */

import type { Dialect } from '../dialect.ts';
import type { Part } from '../message.ts';
import type { XmlDocument } from '../xml/document.ts';

export interface Operation<I, O> {
  readonly method: 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly target: 'bucket' | 'object' | 'service';
  /** The query parameter whose presence selects the operation. */
  readonly subresource?: string;
  /** Present if the copy-source header selects the operation among those with the same method and target. */
  readonly copies?: true;
  readonly request: {
    readonly parts: readonly Part<I>[];
    readonly body?: RequestBody<I>;
    /** Present if a checksum in the headers is that of the resulting object and not of the request's body. */
    readonly checksumOf?: 'object';
  };
  readonly response: {
    readonly status: 200 | 204;
    readonly parts: readonly Part<O>[];
    readonly body?: ResponseBody<I, O>;
  };
}

/** The body of a request. `bytes` means the bytes of the object, which the table does not process. */
type RequestBody<I> = 'bytes' | RequestDocument<I>;
type ResponseBody<I, O> = 'bytes' | ResponseDocument<I, O>;

/** Rules for a document that apply before it is parsed. */
export interface DocumentRules {
  /** The limit for the document in bytes. MAX_XML_BYTES if absent. */
  readonly maxBytes?: number;
  /** The code of the error for a document that is not valid UTF-8. MalformedXML if absent. */
  readonly malformed?: 'MalformedACLError' | 'MalformedPolicy' | 'MalformedXML';
}

export interface RequestDocument<I> extends DocumentRules {
  /** The content type. `application/xml` if absent. */
  readonly contentType?: string;
  /** Whether the request requires a digest or checksum, because its effect cannot be undone. */
  readonly needsDigest?: boolean;
  /** Returns the document for the input, or undefined for a request without a body. */
  encode(input: I, dialect: Dialect): string | undefined;
  /**
   * Returns the members of the input that the document contains. `body` is '' without a document. `members` are those of
   * headers and query.
   */
  decode(body: string, members: Partial<I>, dialect: Dialect): Partial<I>;
}

/** A document of a response. `encode` needs the input, because some responses repeat parts of the request. */
export interface ResponseDocument<I, O> {
  /** The content type. `application/xml` if absent. */
  readonly contentType?: string;
  encode(output: O, input: I, dialect: Dialect): string;
  decode(body: string): Partial<O>;
}

/**
 * The default limit for opening and closing tags. 100 grants have a thousand, and CORS rules of 64 KiB have five thousand.
 */
export const MAX_REQUEST_TAGS = 10_000;

export function requestDocument<I, D>(
  xml: XmlDocument<D>,
  toDocument: (input: I) => D | undefined,
  fromDocument: (document: D, dialect: Dialect) => Partial<I>,
  options: Pick<RequestDocument<I>, 'maxBytes' | 'needsDigest'> & {
    readonly mayBeEmpty?: boolean;
    /** The limit for opening and closing tags. MAX_REQUEST_TAGS if absent. */
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
