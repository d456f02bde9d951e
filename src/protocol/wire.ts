/** Defines HTTP requests and responses in their raw form: before decoding and after encoding. */

/**
 * The headers of a message in their original order, with lower-case names. Repeated headers are kept. A value has one
 * character per byte (latin1), as HTTP parsers return it. The codecs decode UTF-8 where the protocol allows it.
 */
export type WireHeaders = readonly (readonly [name: string, value: string])[];

/** The percent-decoded names and values of a query in their original order. `?acl` has the value ''. */
export type WireQuery = readonly (readonly [name: string, value: string])[];

export interface WireRequest {
  readonly method: string;
  /** The percent-encoded path of the request line, without the query. */
  readonly path: string;
  readonly query: WireQuery;
  readonly headers: WireHeaders;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: WireHeaders;
}

/** Returns all values of a header, joined by commas (RFC 9110 §5.3), or undefined if the header is absent. */
export function headerValue(headers: WireHeaders, name: string): string | undefined {
  let joined: string | undefined;
  for (const [each, value] of headers) {
    if (each === name) joined = joined === undefined ? value : `${joined}, ${value}`;
  }
  return joined;
}
