/**
 * Handles one client of the control socket: its handshake, its requests and its subscription. Ends when the socket
 * closes.
 */

import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import type { MessageConnection } from 'vscode-jsonrpc/node';
import type { z } from 'zod';

import { audit } from '../../src/base/audit.ts';
import { defined } from '../../src/base/defined.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { ByteSource } from '../../src/control/byte-source.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { openChannel } from '../../src/control/framing.ts';
import { HELLO } from '../../src/control/handshake.ts';
import type { MethodName, Params, Result } from '../../src/control/messages.ts';
import { schemasOf } from '../../src/control/method-schemas.ts';
import { LOCAL_TARGET } from '../../src/control/local-target.ts';
import { PARAMETER_MESSAGES, problemOf, problemText } from '../../src/control/parameter-error.ts';
import { PROTOCOL_VERSION, versionMismatch } from '../../src/control/version-mismatch.ts';
import { toResponseError } from '../../src/control/wire-error.ts';
import type { CallContext, ControlHandlers, HandledMethod } from './control-handlers.ts';
import type { EventLog } from './event-log.ts';
import { Subscription } from './subscription.ts';
import { controlErrorOf } from './wire-error.ts';

/** The maximum number of concurrent requests per client. Only a client that sends requests in a loop reaches it. */
export const MAX_REQUESTS = 64;

export interface ConnectionOptions {
  /** The version of Holdfast. `hello` returns it. */
  readonly version: string;
  /** The configuration file of the daemon. `hello` returns it. */
  readonly configFile?: string;
  readonly handlers: ControlHandlers;
  readonly events: EventLog;
  readonly logger: Logger;
}

export interface Peer {
  readonly id: number;
  readonly socket: Socket;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
}

export class ControlConnection {
  readonly #options: ConnectionOptions;
  readonly #peer: Peer;
  /** Aborts when the client has disconnected or the server closes. */
  readonly #over = new AbortController();
  #channel: MessageConnection | undefined;
  #client: string | undefined;
  readonly #gone = new AbortController();
  readonly #subscription: Subscription;
  readonly #answers = new Set<Promise<unknown>>();

  constructor(options: ConnectionOptions, peer: Peer) {
    this.#options = options;
    this.#peer = peer;
    this.#subscription = new Subscription({
      ...options,
      gone: this.#gone.signal,
      ending: this.#over.signal,
      send: async (method, params) => this.#channel?.sendNotification(method, params),
    });
  }

  listen(source: ByteSource, firstLine: string): void {
    const { socket, closing } = this.#peer;
    const over = () => this.#over.abort();
    socket.once('close', over);
    socket.once('close', () => this.#gone.abort());
    closing.addEventListener('abort', over, { once: true });
    socket.once('close', () => closing.removeEventListener('abort', over));
    const { logger } = this.#options;
    const onViolation = (error: ControlError) =>
      logger.warn({ client: this.#client, reason: error.message }, 'a client broke the protocol');
    const channel = openChannel({ socket, source, firstLine, onViolation });
    this.#channel = channel;
    channel.onRequest(async (method, params, token) => {
      const cancelled = new AbortController();
      token.onCancellationRequested(() => cancelled.abort());
      const signal = AbortSignal.any([cancelled.signal, this.#over.signal]);
      try {
        return await this.#answer(method, params, signal);
      } catch (error) {
        return toResponseError(inBucket(controlErrorOf(error, logger), params));
      }
    });
    channel.listen();
  }

  /** Resolves when all responses and all events have been sent. The server calls it before it stops. */
  async answered(): Promise<void> {
    await Promise.allSettled([...this.#answers, this.#subscription.drained()]);
    // The channel writes the last response only some turns of the event loop after its handler has returned.
    await setImmediate();
    // Messages are sent in order, so when this message has been sent, all earlier messages have been sent too. Clients
    // ignore methods that begin with `$/`.
    await this.#channel?.sendNotification('$/end');
  }

  async #answer(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    if (this.#answers.size >= MAX_REQUESTS) {
      throw new ControlError('TooMuch', `${method}: ${MAX_REQUESTS} requests are running already`);
    }
    const answer = this.#dispatch(this.#known(method), params ?? {}, signal);
    this.#answers.add(answer);
    try {
      return await answer;
    } finally {
      this.#answers.delete(answer);
    }
  }

  async #dispatch(method: MethodName, params: unknown, signal: AbortSignal): Promise<unknown> {
    if (method === 'hello') return this.#hello(parsed<'hello'>(HELLO, params));
    if (this.#client === undefined)
      throw new ControlError('BadMessage', `${method}: the first message must be hello`);
    if (method === 'events.subscribe')
      return this.#subscription.renew(parsed<'events.subscribe'>(await schemasOf(method), params));
    const connection = { id: this.#peer.id, client: this.#client };
    return this.#handle(method, params, { signal, connection });
  }

  async #handle<M extends HandledMethod>(
    method: M,
    params: unknown,
    context: CallContext,
  ): Promise<Result<M>> {
    const { handlers, logger } = this.#options;
    const asked = parsed<M>(await schemasOf(method), params);
    const result = await handlers[method](asked, context);
    const request = isOtherTarget(asked) ? asked : { ...asked, target: undefined };
    audit(logger, method, { request, by: () => ({ method }) });
    return result;
  }

  #known(method: string): MethodName {
    const isOwn = method === 'hello' || method === 'events.subscribe';
    if (isOwn || Object.hasOwn(this.#options.handlers, method)) return method as MethodName;
    const shown = JSON.stringify(method.slice(0, 100));
    throw new ControlError('BadMessage', `unknown method ${shown}`);
  }

  #hello({ protocol, client }: Params<'hello'>): Result<'hello'> {
    const { version, configFile, logger } = this.#options;
    if (protocol !== PROTOCOL_VERSION) {
      throw versionMismatch({ client: protocol, daemon: PROTOCOL_VERSION, daemonRelease: version });
    }
    this.#client = client;
    logger.debug({ client, connection: this.#peer.id }, 'a client says hello');
    return { protocol: PROTOCOL_VERSION, version, pid: process.pid, ...defined({ configFile }) };
  }
}

function parsed<M extends MethodName>(
  { params: schema }: { readonly params: z.ZodObject },
  params: unknown,
): Params<M> {
  // The method has no `target` parameter. If it ignored `target`, it would use a different store than the caller
  // selected.
  if (isOtherTarget(params) && !Object.hasOwn(schema.shape, 'target')) {
    const target = JSON.stringify(params.target);
    throw new ControlError(
      'BadRequest',
      `cannot use target ${target}: only the embedded store supports this`,
    );
  }
  const result = schema.safeParse(params, PARAMETER_MESSAGES);
  if (result.success) return result.data as Params<M>;
  const problem = problemOf(result.error);
  throw new ControlError('BadRequest', problemText(problem), { details: { ...problem } });
}

/** Adds the requested bucket and key to an error of the store, because the error may not contain them. */
function inBucket(error: ControlError, params: unknown): ControlError {
  const { code, ...rest } = error.data;
  if (rest.storageCode === undefined || !isRecord(params)) return error;
  const { bucket, key } = params;
  if (typeof bucket !== 'string') return error;
  const names = { BucketName: bucket, ...(typeof key === 'string' && { Key: key }) };
  const details = { ...names, ...rest.details };
  return new ControlError(code, error.message, { ...rest, details, cause: error });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isOtherTarget(params: unknown): params is { readonly target: unknown } {
  if (!isRecord(params)) return false;
  return params.target !== undefined && params.target !== LOCAL_TARGET;
}
