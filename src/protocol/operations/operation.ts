/** Defines the types of an operation's definition. Each operation is defined once, for both encoding and decoding. */

import type { Dialect } from '../dialect.ts';
import type { Part } from '../message.ts';
import type { XmlDocument } from '../xml/document.ts';

export interface Operation<I, O> {
  readonly method: 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly target: 'bucket' | 'object' | 'service';
  /** The query parameter whose presence selects this operation. */
  readonly subresource?: string;
  /** Present if the copy-source header selects this operation among the operations with the same method and target. */
  readonly copies?: true;
  readonly request: {
    readonly parts: readonly Part<I>[];
    readonly body?: RequestBody<I>;
    /** Present if a checksum header applies to the resulting object instead of the request body. */
    readonly checksumOf?: 'object';
  };
  readonly response: {
    readonly status: 200 | 204;
    readonly parts: readonly Part<O>[];
    readonly body?: ResponseBody<I, O>;
  };
}

/** The kind of request body. `bytes` means the object's content, which the operation table does not process. */
type RequestBody<I> = 'bytes' | RequestDocument<I>;
type ResponseBody<I, O> = 'bytes' | ResponseDocument<I, O>;

/** Rules for an XML or JSON document that apply before it is parsed. */
export interface DocumentRules {
  /** The maximum size of the document in bytes. Default: MAX_XML_BYTES. */
  readonly maxBytes?: number;
  /** The error code for a document that is not valid UTF-8. Default: MalformedXML. */
  readonly malformed?: 'MalformedACLError' | 'MalformedPolicy' | 'MalformedXML';
}

export interface RequestDocument<I> extends DocumentRules {
  /** The content type of the document. Default: `application/xml`. */
  readonly contentType?: string;
  /** Whether the request must contain a digest or checksum, because the effect of the operation cannot be undone. */
  readonly needsDigest?: boolean;
  /** Returns the document for the input, or undefined for a request without a body. */
  encode(input: I, dialect: Dialect): string | undefined;
  /**
   * Returns the input fields that the document contains. `body` is '' if the request has no document. `members` are the
   * input fields from headers and query parameters.
   */
  decode(body: string, members: Partial<I>, dialect: Dialect): Partial<I>;
}

/** The document of a response. `encode` receives the input, because some responses repeat parts of the request. */
export interface ResponseDocument<I, O> {
  /** The content type of the document. Default: `application/xml`. */
  readonly contentType?: string;
  encode(output: O, input: I, dialect: Dialect): string;
  decode(body: string): Partial<O>;
}

/**
 * The default maximum number of opening and closing tags. A document with 100 grants has about 1,000 tags, and 64 KiB
 * of CORS rules have about 5,000.
 */
export const MAX_REQUEST_TAGS = 10_000;

export function requestDocument<I, D>(
  xml: XmlDocument<D>,
  toDocument: (input: I) => D | undefined,
  fromDocument: (document: D, dialect: Dialect) => Partial<I>,
  options: Pick<RequestDocument<I>, 'maxBytes' | 'needsDigest'> & {
    readonly mayBeEmpty?: boolean;
    /** The maximum number of opening and closing tags. Default: MAX_REQUEST_TAGS. */
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
