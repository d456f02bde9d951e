/** A dialect is a value: everything in which the two spellings of the protocol differ. */

export interface Dialect {
  readonly name: 'svc' | 'amz';
  /** Of vendor headers, lower case with the hyphen: `x-svc-`. */
  readonly headerPrefix: string;
  /** Of presigned query parameters: `X-Svc-`. */
  readonly queryPrefix: string;
  /** `SVC4-HMAC-SHA256`. */
  readonly algorithm: string;
  /** What the secret is prefixed with to derive the signing key: `SVC4`. */
  readonly secretPrefix: string;
  /** The credential scope's last part as we write it; read in either case. */
  readonly terminator: string;
  /** The credential scope's service. */
  readonly service: string;
  readonly xmlNamespace: string;
}

const XML_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** The specification's own dialect; `vendor` is the word it writes `<VENDOR>`. */
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

/** The dialect of the widely used tools. */
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
