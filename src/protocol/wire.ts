/** Requests and answers as they cross the wire, before and after any meaning is given to them. */

/**
 * Names in lower case, in wire order, repeated names kept. A value holds one character for each byte
 * (latin1), as HTTP parsers give it; the codecs turn UTF-8 into text where the protocol allows it.
 */
export type WireHeaders = readonly (readonly [name: string, value: string])[];

/** Percent-decoded names and values in wire order; `?acl` has the value ''. */
export type WireQuery = readonly (readonly [name: string, value: string])[];

export interface WireRequest {
  readonly method: string;
  /** The path of the request line, percent-encoded, without the query. */
  readonly path: string;
  readonly query: WireQuery;
  readonly headers: WireHeaders;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: WireHeaders;
}

/** All values of a header, joined as HTTP says; undefined when it is absent. */
export function headerValue(headers: WireHeaders, name: string): string | undefined {
  let joined: string | undefined;
  for (const [each, value] of headers) {
    if (each === name) joined = joined === undefined ? value : `${joined}, ${value}`;
  }
  return joined;
}
