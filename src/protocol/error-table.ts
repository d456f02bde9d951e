/** Defines the HTTP status and the default message of each error code (semantics B.1). */

import type { StorageErrorCode } from '../object-store/storage-error.ts';

interface ErrorEntry {
  readonly status: number;
  /** The default message. It must not be empty, because the AWS CLI fails on an empty message. */
  readonly text: string;
}

export const ERROR_TABLE: Readonly<Record<StorageErrorCode, ErrorEntry>> = {
  AccessControlListNotSupported: {
    status: 400,
    text: 'The bucket does not allow access control lists.',
  },
  AccessDenied: { status: 403, text: 'Access Denied.' },
  AccessForbidden: { status: 403, text: 'The CORS rules of the bucket do not allow this request.' },
  AuthorizationHeaderMalformed: { status: 400, text: 'The authorization header is malformed.' },
  AuthorizationQueryParametersError: {
    status: 400,
    text: 'The query parameters of the signature are not valid.',
  },
  BadDigest: {
    status: 400,
    text: 'The digest or checksum that you specified does not match the data that was received.',
  },
  BucketAlreadyExists: { status: 409, text: 'The bucket name is not available.' },
  BucketAlreadyOwnedByYou: { status: 409, text: 'You already own this bucket.' },
  BucketNotEmpty: {
    status: 409,
    text: 'The bucket is not empty. You must delete all versions in the bucket.',
  },
  EntityTooLarge: { status: 400, text: 'The upload exceeds the maximum allowed size.' },
  EntityTooSmall: { status: 400, text: 'A part is smaller than the minimum allowed size.' },
  // Only other services return this code. Holdfast has no session tokens.
  ExpiredToken: { status: 400, text: 'The session token has expired.' },
  IncompleteBody: {
    status: 400,
    text: 'The body does not have the number of bytes that the request specifies.',
  },
  InsufficientStorage: { status: 507, text: 'The store has no space left.' },
  InternalError: { status: 500, text: 'An internal error occurred. Please try again.' },
  InvalidAccessKeyId: { status: 403, text: 'The access key id does not exist.' },
  InvalidArgument: { status: 400, text: 'An argument is not valid.' },
  InvalidBucketName: { status: 400, text: 'The bucket name is not valid.' },
  InvalidBucketState: {
    status: 409,
    text: "The request is not valid for the bucket's current state.",
  },
  InvalidChunkSizeError: {
    status: 400,
    text: 'Only the last chunk can be smaller than 8192 bytes.',
  },
  InvalidDigest: { status: 400, text: 'The Content-MD5 is not base64 of 16 bytes.' },
  InvalidLocationConstraint: { status: 400, text: 'The location constraint is not valid here.' },
  InvalidEncryptionAlgorithmError: {
    status: 400,
    text: 'The requested encryption algorithm is not valid, must be AES256.',
  },
  InvalidPart: { status: 400, text: 'A part was not found, or its ETag does not match.' },
  InvalidPartNumber: { status: 416, text: 'The part number is not satisfiable.' },
  InvalidPartOrder: { status: 400, text: 'The parts must be in ascending order.' },
  InvalidPolicyDocument: { status: 400, text: "The form's policy is not valid." },
  InvalidRange: { status: 416, text: 'The range is not satisfiable.' },
  InvalidRedirectLocation: {
    status: 400,
    text: 'A redirect must begin with /, http:// or https://.',
  },
  InvalidRequest: { status: 400, text: 'The request is not valid.' },
  InvalidRetentionPeriod: {
    status: 400,
    text: 'The retention period must be 1 to 36500 days, or 1 to 100 years.',
  },
  InvalidStorageClass: { status: 400, text: 'The storage class must be STANDARD.' },
  InvalidTag: { status: 400, text: 'The tags are not valid.' },
  InvalidToken: { status: 400, text: 'The session token is not valid.' },
  InvalidURI: { status: 400, text: 'The URI could not be read.' },
  KeyTooLongError: { status: 400, text: 'The key is too long.' },
  LimitExceeded: { status: 400, text: 'The access control list has too many grants.' },
  MalformedACLError: {
    status: 400,
    text: 'The access control list is not well-formed or does not match its schema.',
  },
  MalformedPOSTRequest: {
    status: 400,
    text: 'The body of the POST request is not well-formed multipart/form-data.',
  },
  MalformedPolicy: { status: 400, text: 'The policy is not valid.' },
  MalformedXML: { status: 400, text: 'The XML is not well-formed or does not match its schema.' },
  MaxMessageLengthExceeded: { status: 400, text: 'The request body is too large.' },
  MetadataTooLarge: { status: 400, text: 'The user metadata exceeds the maximum allowed size.' },
  MethodNotAllowed: { status: 405, text: 'The method is not allowed on this resource.' },
  MissingContentLength: { status: 411, text: 'The Content-Length header is missing.' },
  NoSuchBucket: { status: 404, text: 'The bucket does not exist.' },
  NoSuchBucketPolicy: { status: 404, text: 'The bucket policy does not exist.' },
  NoSuchCORSConfiguration: { status: 404, text: 'The bucket has no CORS configuration.' },
  NoSuchKey: { status: 404, text: 'The key does not exist.' },
  NoSuchLifecycleConfiguration: {
    status: 404,
    text: 'The lifecycle configuration does not exist.',
  },
  NoSuchPublicAccessBlockConfiguration: {
    status: 404,
    text: 'The public access block configuration was not found.',
  },
  NoSuchTagSet: { status: 404, text: 'The bucket has no tags.' },
  NoSuchUpload: {
    status: 404,
    text: 'The multipart upload does not exist; it may have been completed or aborted.',
  },
  NoSuchVersion: { status: 404, text: 'The version does not exist.' },
  NoSuchWebsiteConfiguration: { status: 404, text: 'The bucket has no website configuration.' },
  NotImplemented: { status: 501, text: 'The request needs a feature that is not implemented.' },
  NotModified: { status: 304, text: 'Not modified.' },
  ObjectLockConfigurationNotFoundError: {
    status: 404,
    text: 'Object Lock configuration does not exist for this bucket.',
  },
  OperationAborted: {
    status: 409,
    text: 'A conflicting operation is in progress. Please try again.',
  },
  OwnershipControlsNotFoundError: {
    status: 404,
    text: 'The bucket ownership controls were not found.',
  },
  PreconditionFailed: { status: 412, text: 'At least one of the preconditions did not hold.' },
  QuotaExceeded: { status: 403, text: 'The quota is exceeded.' },
  ReplicationConfigurationNotFoundError: {
    status: 404,
    text: 'The replication configuration was not found.',
  },
  RequestTimeTooSkewed: {
    status: 403,
    text: "The time of the request differs too much from the server's time.",
  },
  RequestTimeout: { status: 400, text: 'The body was not received within the allowed time.' },
  ServerSideEncryptionConfigurationNotFoundError: {
    status: 404,
    text: 'The server side encryption configuration was not found.',
  },
  ServiceUnavailable: { status: 503, text: 'The service is not available. Please try again.' },
  SignatureDoesNotMatch: {
    status: 403,
    text: 'The signature does not match. Check your secret access key and signing method.',
  },
  SlowDown: { status: 503, text: 'Please reduce your request rate.' },
  TooManyBuckets: { status: 400, text: 'The project has reached its maximum number of buckets.' },
  UnexpectedContent: { status: 400, text: 'The request has a body, but must not have one.' },
  UnresolvableGrantByEmailAddress: {
    status: 400,
    text: 'The e-mail address does not match any project.',
  },
  XAmzContentSHA256Mismatch: {
    status: 400,
    text: 'The SHA-256 in the request does not match the body.',
  },
};

function isStorageErrorCode(code: string): code is StorageErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}

/** Maps error codes of other services to the equivalent code in the table. */
const OTHER_NAMES: ReadonlyMap<string, StorageErrorCode> = new Map([
  // S3 returns this code for a version without retention or legal hold.
  ['NoSuchObjectLockConfiguration', 'ObjectLockConfigurationNotFoundError'],
  // Ceph RGW returns the code InvalidObjectName for a key that is too long.
  ['InvalidObjectName', 'KeyTooLongError'],
]);

/** Maps an error code of any service to the code in the table. Returns undefined for an unknown code. */
export function storageErrorCode(code: string): StorageErrorCode | undefined {
  return isStorageErrorCode(code) ? code : OTHER_NAMES.get(code);
}

/** Derives the error code from the status of a response without a body, such as a HEAD response. */
export function codeOfStatus(
  status: number,
  target: 'bucket' | 'object' | 'service',
): StorageErrorCode {
  if (status === 404) return target === 'object' ? 'NoSuchKey' : 'NoSuchBucket';
  if (status >= 500 && status !== 501 && status !== 507) {
    return status === 503 ? 'ServiceUnavailable' : 'InternalError';
  }
  return BY_STATUS[status] ?? 'InvalidRequest';
}

const BY_STATUS: Readonly<Record<number, StorageErrorCode>> = {
  304: 'NotModified',
  403: 'AccessDenied',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'OperationAborted',
  411: 'MissingContentLength',
  412: 'PreconditionFailed',
  416: 'InvalidRange',
  429: 'SlowDown',
  501: 'NotImplemented',
  507: 'InsufficientStorage',
};
