/**
 * Converts errors to and from their wire format: the JSON of a failed stream, and the error of a JSON-RPC response.
 */

import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';

import { isAbort } from '../base/errors.ts';
import { CONTROL_ERROR_CODES, ControlError } from './control-error.ts';
import type { ControlErrorData } from './control-error.ts';

/**
 * The code of all JSON-RPC errors. JSON-RPC requires a number. It has no meaning, because `data.code` identifies the
 * error.
 */
const APPLICATION_ERROR = 1;

interface WireError {
  readonly message: string;
  readonly data: ControlErrorData;
}

export function toWire(error: ControlError): WireError {
  return { message: error.message, data: error.data };
}

/**
 * Returns the error that the value represents, or undefined if the value is not a valid error. Validates the value by
 * hand, because the schemas load slowly.
 */
export function fromWire(value: unknown): ControlError | undefined {
  const { message, data } = membersOf(value);
  const { code, storageCode, details, hint } = membersOf(data);
  const known = CONTROL_ERROR_CODES.find((each) => each === code);
  if (known === undefined || typeof message !== 'string') return undefined;
  if (!isText(storageCode) || !isText(hint) || !areDetails(details)) return undefined;
  return new ControlError(known, message, { storageCode, details, hint });
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function areDetails(value: unknown): value is ControlErrorData['details'] {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((each) =>
    ['string', 'number', 'boolean'].includes(typeof each),
  );
}

export function toResponseError(error: ControlError): ResponseError<unknown> {
  return new ResponseError<unknown>(APPLICATION_ERROR, error.message, error.data);
}

/** Converts the failure of a request to the error for the caller. Returns an abort or a ControlError unchanged. */
export function fromResponseError(method: string, error: unknown): unknown {
  if (isAbort(error) || error instanceof ControlError) return error;
  if (!(error instanceof ResponseError)) return disconnected(method, error);
  const known = fromWire({ message: error.message, data: error.data as unknown });
  if (known) return known;
  return LOST.has(error.code)
    ? disconnected(method, error)
    : new ControlError('Internal', `${method}: ${error.message}`, { cause: error });
}

const LOST = new Set<number>([
  ErrorCodes.MessageWriteError,
  ErrorCodes.PendingResponseRejected,
  ErrorCodes.ConnectionInactive,
]);

function disconnected(method: string, cause: unknown): ControlError {
  return new ControlError(
    'Disconnected',
    `${method}: the connection to the daemon was lost before it responded`,
    { cause, hint: 'the request may have been carried out; to check: holdfast status' },
  );
}
