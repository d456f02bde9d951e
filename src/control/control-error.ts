/** The one error class of the control boundary, on both of its ends. */

export const CONTROL_ERROR_CODES = [
  /** No daemon listens on the socket. */
  'NotRunning',
  /** The socket belongs to another user. */
  'PermissionDenied',
  /** Client and daemon are of different versions. */
  'VersionMismatch',
  /** The parameters, or the message, are not what the method takes. The daemon did nothing. */
  'BadRequest',
  /** The job, target or stream that was named is not there. */
  'NotFound',
  /** What was asked for collides with what is there. */
  'Conflict',
  /** The store refused or failed: `storageCode` is the storage protocol's own code. */
  'Storage',
  /** `config.yaml`, the home or a credentials file has to be changed first. */
  'Config',
  /** A remote service could not be reached: nothing is known about its state. */
  'Transport',
  /** Understood, and could not be done; the message says why. */
  'Failed',
  /** A limit of the daemon was reached: connections, requests, streams, the size of an answer. */
  'TooMuch',
  /** A defect of the daemon: its log has more. */
  'Internal',
  /** The connection or the stream ended before its time: what was asked may have been done. */
  'Disconnected',
  /** The daemon gave up on the request, since it stops. */
  'Cancelled',
] as const;

export type ControlErrorCode = (typeof CONTROL_ERROR_CODES)[number];

/** What an error tells beside its message: the `data` of the JSON-RPC error, and the end of a failed stream. */
export interface ControlErrorData {
  readonly code: ControlErrorCode;
  /** With `Storage`: the code of the `StorageError`, such as `NoSuchBucket`. */
  readonly storageCode?: string | undefined;
  readonly details?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** What the user can do about it. */
  readonly hint?: string | undefined;
}

type Extra = Omit<ControlErrorData, 'code'> & { readonly cause?: unknown };

/** Branch on `code` (and `storageCode`), never on the message. */
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

  /** As it crosses the socket. */
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
