/** Defines the error of the control protocol. The client and the daemon use it. */

/** The error codes of the control protocol and their meanings. */
export const CONTROL_ERRORS = {
  NotRunning: 'no daemon listens on the socket (found by the client)',
  PermissionDenied: 'the socket belongs to another user (found by the client)',
  VersionMismatch: 'the client and the daemon use different versions of the control protocol',
  BadRequest:
    'the parameters are invalid, and the daemon did nothing. `details` has the `parameter` and the `reason` if its schema rejects one',
  BadMessage:
    'the message or the stream violates the control protocol, or the method is unknown: a defect of the client',
  NotFound:
    'the named job, target, stream, path or version does not exist, or a restore found no object',
  Conflict: 'the request conflicts with the present state',
  Storage: 'the store rejected the request or failed; see `storageCode`',
  Config: 'the user must first change `config.yaml`, the home or a credentials file',
  Transport: 'a remote service could not be reached, and its state is unknown',
  Failed: 'the request was valid, but could not be carried out; the message says why',
  TooMuch:
    'the request exceeds a limit of the daemon: connections, requests, streams or message size',
  Internal: 'a defect of the daemon; its log has details',
  Disconnected: 'the connection or the stream ended early; the request may have been carried out',
  Cancelled: 'the client cancelled the request, or the daemon is stopping',
} as const;

export type ControlErrorCode = keyof typeof CONTROL_ERRORS;

export const CONTROL_ERROR_CODES = Object.keys(CONTROL_ERRORS) as readonly ControlErrorCode[];

/**
 * The fields of an error besides its message. They are sent as the `data` of a JSON-RPC error or of a failed
 * stream.
 */
export interface ControlErrorData {
  readonly code: ControlErrorCode;
  /** The error code of the storage protocol, such as `NoSuchBucket`. Present if `code` is `Storage`. */
  readonly storageCode?: string | undefined;
  readonly details?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** How the user can fix the error. */
  readonly hint?: string | undefined;
}

type Extra = Omit<ControlErrorData, 'code'> & { readonly cause?: unknown };

/** An error of the control protocol. Callers must branch on `code` and `storageCode`, never on the message. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: ControlErrorCode;
  readonly storageCode: string | undefined;
  readonly details: NonNullable<ControlErrorData['details']>;
  readonly hint: string | undefined;

  constructor(code: ControlErrorCode, message: string, extra: Extra = {}) {
    super(message, 'cause' in extra ? { cause: extra.cause } : undefined);
    this.code = code;
    this.storageCode = extra.storageCode;
    this.details = extra.details ?? {};
    this.hint = extra.hint;
  }

  /** The fields of the error that are sent over the socket together with its message. */
  get data(): ControlErrorData {
    const { code, storageCode, details, hint } = this;
    return { code, storageCode, details, hint };
  }
}

export function isControlError(
  error: unknown,
  ...codes: ControlErrorCode[]
): error is ControlError {
  if (!(error instanceof ControlError)) return false;
  return codes.length === 0 || codes.includes(error.code);
}
