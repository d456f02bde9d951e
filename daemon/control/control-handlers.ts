/** Declares the type of the handlers that the server of the control protocol calls. */

import type { MethodName, Params, Result } from '../../src/control/messages.ts';

export interface CallContext {
  /** Aborts when the client cancels the request or disconnects, and when the server closes. */
  readonly signal: AbortSignal;
  readonly connection: { readonly id: number; readonly client: string };
}

/** Methods that the connection itself handles. */
type OwnMethod = 'hello' | 'events.subscribe';
export type HandledMethod = Exclude<MethodName, OwnMethod>;

/** Handlers get parsed parameters. An error that a handler throws is sent to the client as a ControlError. */
export type ControlHandlers = {
  readonly [M in HandledMethod]: (params: Params<M>, context: CallContext) => Promise<Result<M>>;
};
