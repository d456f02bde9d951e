/** Defines the error class of all stores. The error codes are those of the S3 protocol. */

export type StorageErrorCode =
  | 'AccessControlListNotSupported'
  | 'AccessDenied'
  | 'AccessForbidden'
  | 'AuthorizationHeaderMalformed'
  | 'AuthorizationQueryParametersError'
  | 'BadDigest'
  | 'BucketAlreadyExists'
  | 'BucketAlreadyOwnedByYou'
  | 'BucketNotEmpty'
  | 'EntityTooLarge'
  | 'EntityTooSmall'
  | 'ExpiredToken'
  | 'IncompleteBody'
  | 'InsufficientStorage'
  | 'InternalError'
  | 'InvalidAccessKeyId'
  | 'InvalidArgument'
  | 'InvalidBucketName'
  | 'InvalidBucketState'
  | 'InvalidChunkSizeError'
  | 'InvalidDigest'
  | 'InvalidLocationConstraint'
  | 'InvalidEncryptionAlgorithmError'
  | 'InvalidPart'
  | 'InvalidPartNumber'
  | 'InvalidPartOrder'
  | 'InvalidPolicyDocument'
  | 'InvalidRange'
  | 'InvalidRedirectLocation'
  | 'InvalidRequest'
  | 'InvalidRetentionPeriod'
  | 'InvalidStorageClass'
  | 'InvalidTag'
  | 'InvalidToken'
  | 'InvalidURI'
  | 'KeyTooLongError'
  | 'LimitExceeded'
  | 'MalformedACLError'
  | 'MalformedPOSTRequest'
  | 'MalformedPolicy'
  | 'MalformedXML'
  | 'MaxMessageLengthExceeded'
  | 'MetadataTooLarge'
  | 'MethodNotAllowed'
  | 'MissingContentLength'
  | 'NoSuchBucket'
  | 'NoSuchCORSConfiguration'
  | 'NoSuchBucketPolicy'
  | 'NoSuchKey'
  | 'NoSuchLifecycleConfiguration'
  | 'NoSuchPublicAccessBlockConfiguration'
  | 'NoSuchTagSet'
  | 'NoSuchUpload'
  | 'NoSuchVersion'
  | 'NoSuchWebsiteConfiguration'
  | 'NotImplemented'
  | 'NotModified'
  | 'ObjectLockConfigurationNotFoundError'
  | 'OperationAborted'
  | 'OwnershipControlsNotFoundError'
  | 'PreconditionFailed'
  | 'QuotaExceeded'
  | 'ReplicationConfigurationNotFoundError'
  | 'RequestTimeTooSkewed'
  | 'RequestTimeout'
  | 'ServerSideEncryptionConfigurationNotFoundError'
  | 'ServiceUnavailable'
  | 'SignatureDoesNotMatch'
  | 'SlowDown'
  | 'TooManyBuckets'
  | 'UnexpectedContent'
  | 'UnresolvableGrantByEmailAddress'
  | 'XAmzContentSHA256Mismatch';

/** Details of an error: elements of the error's XML body, and headers such as the delete marker flag. */
export type StorageErrorDetails = Readonly<Record<string, string | number | boolean>>;

/**
 * The store rejected an operation or could not perform it. Callers must decide by `code`, not by the message. `details`
 * uses the protocol's element names (`BucketName`, `Key`, `Condition`, `ActualObjectSize`, …). If a delete marker was
 * the reason, `details` contains `DeleteMarker: true` and its `VersionId`.
 */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  readonly details: StorageErrorDetails;

  constructor(
    code: StorageErrorCode,
    message: string,
    options: { details?: StorageErrorDetails; cause?: unknown } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.details = options.details ?? {};
  }
}

export function isStorageError(
  error: unknown,
  ...codes: StorageErrorCode[]
): error is StorageError {
  if (!(error instanceof StorageError)) return false;
  return codes.length === 0 || codes.includes(error.code);
}

const DAMAGED = 'Damaged';

/** Returns the error for a read or write that fails because data in the store is damaged. A retry would fail too. */
export function damagedWhereStored(
  code: StorageErrorCode,
  message: string,
  options: { cause?: unknown } = {},
): StorageError {
  return new StorageError(code, message, { ...options, details: { [DAMAGED]: true } });
}

export function isDamagedWhereStored(error: unknown): boolean {
  return error instanceof StorageError && error.details[DAMAGED] === true;
}
