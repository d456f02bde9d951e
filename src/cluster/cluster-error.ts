/**
 * Defines the errors of the cluster service, with the codes and statuses that EKS tools expect
 * (semantics B.19, "Errors").
 */

/** The HTTP status of each error code. */
export const CLUSTER_ERRORS = {
  ResourceNotFoundException: 404,
  ResourceInUseException: 409,
  ResourceLimitExceededException: 400,
  InvalidParameterException: 400,
  InvalidRequestException: 400,
  BadRequestException: 400,
  NotFoundException: 404,
  ClientException: 400,
  ServerException: 500,
  ServiceUnavailableException: 503,
  AccessDeniedException: 403,
  UnrecognizedClientException: 403,
  InvalidSignatureException: 403,
  /** Only other services return this code, because this service has no session tokens. */
  ExpiredTokenException: 403,
  MissingAuthenticationTokenException: 403,
  ThrottlingException: 429,
  /** The service has no operation with this path and method. */
  UnknownOperationException: 404,
} as const;

export type ClusterErrorCode = keyof typeof CLUSTER_ERRORS;

/**
 * The names of the cluster and node group that an error concerns. The error response contains them next to the message.
 */
export interface Concerned {
  readonly clusterName?: string | undefined;
  readonly nodegroupName?: string | undefined;
}

export class ClusterError extends Error {
  override readonly name = 'ClusterError';
  readonly code: ClusterErrorCode;
  readonly concerned: Concerned;

  constructor(
    code: ClusterErrorCode,
    message: string,
    { cause, ...concerned }: Concerned & { readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.concerned = concerned;
  }
}

export function isClusterError(
  error: unknown,
  ...codes: readonly ClusterErrorCode[]
): error is ClusterError {
  return error instanceof ClusterError && (codes.length === 0 || codes.includes(error.code));
}
