/** Declares the error class of the control protocol, for both the client and the daemon. */

export const CONTROL_ERROR_CODES = [
  /** No daemon listens on the socket. */
  'NotRunning',
  /** The socket belongs to another user. */
  'PermissionDenied',
  /** The client and the daemon use different versions of the control protocol. */
  'VersionMismatch',
  /** The parameters are invalid. The daemon did nothing. */
  'BadRequest',
  /** The message or the stream violates the control protocol, or names an unknown method. It is a defect of the client. */
  'BadMessage',
  /** The named job, target, stream, path or version does not exist. */
  'NotFound',
  /** The request conflicts with the current state. */
  'Conflict',
  /** The store rejected the request or failed. `storageCode` is the error code of the storage protocol. */
  'Storage',
  /** The user must first change `config.yaml`, the home folder or a credentials file. */
  'Config',
  /** A remote service could not be reached. Its state is unknown. */
  'Transport',
  /** The request was valid but could not be carried out. The message says why. */
  'Failed',
  /** The request exceeds a limit of the daemon: connections, requests, streams or message size. */
  'TooMuch',
  /** A defect of the daemon. Its log has details. */
  'Internal',
  /** The connection or the stream ended early. The request may have been carried out. */
  'Disconnected',
  /** The client cancelled the request, or the daemon is stopping. */
  'Cancelled',
] as const;

export type ControlErrorCode = (typeof CONTROL_ERROR_CODES)[number];

/** The fields of an error besides its message: the `data` of a JSON-RPC error or of a failed stream. */
export interface ControlErrorData {
  readonly code: ControlErrorCode;
  /** Code of the StorageError, such as `NoSuchBucket`; present if `code` is `Storage`. */
  readonly storageCode?: string | undefined;
  readonly details?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** What the user can do about it. */
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

  /** The fields that are sent over the socket with the message. */
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
