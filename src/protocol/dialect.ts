/** The differences between the two dialects of the protocol: names of headers, query parameters and algorithms. */

export interface Dialect {
  readonly name: 'svc' | 'amz';
  /** The prefix of vendor headers, in lower case: `x-svc-`. */
  readonly headerPrefix: string;
  /** The prefix of query parameters of presigned URLs: `X-Svc-`. */
  readonly queryPrefix: string;
  /** `SVC4-HMAC-SHA256`. */
  readonly algorithm: string;
  /** The prefix of the secret when the signing key is derived: `SVC4`. */
  readonly secretPrefix: string;
  /** The last part of the credential scope as Holdfast writes it. It is accepted in either case. */
  readonly terminator: string;
  /** The service in the credential scope. */
  readonly service: string;
  readonly xmlNamespace: string;
}

const XML_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** The dialect of the specification; `vendor` is its placeholder `<VENDOR>`. */
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

/** The dialect of AWS, which most tools use. */
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
