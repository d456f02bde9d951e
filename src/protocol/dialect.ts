/**
 * Defines the two protocol dialects, `svc` and `amz`. They differ in the names of headers, query parameters and
 * algorithms.
 */

export interface Dialect {
  readonly name: 'svc' | 'amz';
  /** The prefix of vendor headers in lower case, such as `x-svc-`. */
  readonly headerPrefix: string;
  /** The prefix of the query parameters of presigned URLs, such as `X-Svc-`. */
  readonly queryPrefix: string;
  /** The name of the signing algorithm, such as `SVC4-HMAC-SHA256`. */
  readonly algorithm: string;
  /** The prefix that key derivation adds to the secret, such as `SVC4`. */
  readonly secretPrefix: string;
  /**
   * The last part of the credential scope as Holdfast writes it. In the `svc` dialect, Holdfast accepts it in upper and
   * lower case.
   */
  readonly terminator: string;
  /** The service code in the credential scope. */
  readonly service: string;
  readonly xmlNamespace: string;
}

const XML_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** Returns the dialect of the Holdfast specification. `vendor` replaces the specification's placeholder `<VENDOR>`. */
export function svcDialect(vendor = 'SVC'): Dialect {
  return {
    name: 'svc',
    headerPrefix: 'x-svc-',
    queryPrefix: 'X-Svc-',
    algorithm: `${vendor}4-HMAC-SHA256`,
    secretPrefix: `${vendor}4`,
    terminator: `${vendor.toLowerCase()}4_request`,
    service: 's3',
    xmlNamespace: XML_NAMESPACE,
  };
}

/** The AWS dialect, which most S3 tools use. */
export const amzDialect: Dialect = {
  name: 'amz',
  headerPrefix: 'x-amz-',
  queryPrefix: 'X-Amz-',
  algorithm: 'AWS4-HMAC-SHA256',
  secretPrefix: 'AWS4',
  terminator: 'aws4_request',
  service: 's3',
  xmlNamespace: XML_NAMESPACE,
};
