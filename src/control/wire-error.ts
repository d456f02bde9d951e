/** Errors as they cross the socket: the JSON of a failed stream, and the error of a JSON-RPC answer. */

import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import { z } from 'zod';

import { errorMessage, isAbort } from '../base/errors.ts';
import { CONTROL_ERROR_CODES, ControlError } from './control-error.ts';
import type { ControlErrorData } from './control-error.ts';

/** JSON-RPC wants a number; ours says nothing, since `data.code` says it all. */
const APPLICATION_ERROR = 1;

const errorDataSchema = z.object({
  code: z.enum(CONTROL_ERROR_CODES),
  storageCode: z.string().optional(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  hint: z.string().optional(),
}) satisfies z.ZodType<ControlErrorData>;

const wireErrorSchema = z.object({ message: z.string(), data: errorDataSchema });

export type WireError = z.infer<typeof wireErrorSchema>;

export function toWire(error: ControlError): WireError {
  return { message: error.message, data: error.data };
}

/** Undefined when it is not one. */
export function fromWire(value: unknown): ControlError | undefined {
  const parsed = wireErrorSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { code, ...extra } = parsed.data.data;
  return new ControlError(code, parsed.data.message, extra);
}

export function toResponseError(error: ControlError): ResponseError<unknown> {
  return new ResponseError<unknown>(APPLICATION_ERROR, error.message, error.data);
}

/** What a failed request means to its caller. An abort passes through untouched. */
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
    `${method}: the connection to the daemon was lost: ${errorMessage(cause)}`,
    { cause, hint: 'look with `holdfast status`: what was asked may have been done' },
  );
}
