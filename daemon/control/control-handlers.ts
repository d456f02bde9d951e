/** Defines the type of the handlers that the control server calls. */

import type { MethodName, Params, Result } from '../../src/control/messages.ts';

export interface CallContext {
  /** Aborts when the client cancels the request or disconnects, and when the server closes. */
  readonly signal: AbortSignal;
  readonly connection: { readonly id: number; readonly client: string };
}

/** The methods that the connection handles itself. */
type OwnMethod = 'hello' | 'events.subscribe';
export type HandledMethod = Exclude<MethodName, OwnMethod>;

/**
 * The handlers of all methods except those that the connection handles itself. A handler receives parsed
 * parameters. If it throws, the client receives a ControlError.
 */
export type ControlHandlers = {
  readonly [M in HandledMethod]: (params: Params<M>, context: CallContext) => Promise<Result<M>>;
};
