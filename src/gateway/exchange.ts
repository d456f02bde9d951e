/** One request and its answer: parse, authenticate, call, serialise. Errors are mapped here and nowhere else. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { defined } from '../base/defined.ts';
import { errorMessage } from '../base/errors.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { encodeError } from '../protocol/error-document.ts';
import { ERROR_TABLE } from '../protocol/error-table.ts';
import { readDialect } from '../protocol/header-families.ts';
import {
  encodeResponse,
  type EncodedResponse,
  type Input,
  type OperationName,
  type Output,
} from '../protocol/operations.ts';
import type { Target } from '../protocol/paths.ts';
import { canonicalUri } from '../protocol/signing/canonical-request.ts';
import { headerValue, type WireHeaders } from '../protocol/wire.ts';
import { authenticator, type Authenticated, formAuthenticator } from './authenticate.ts';
import { guardCustomerKeys } from './customer-keys.ts';
import { checkExpectedOwners } from './expected-owners.ts';
import type { GatewayOptions } from './gateway.ts';
import { HANDLERS, type Bytes, type Call } from './handlers.ts';
import { IncomingBody } from './incoming-body.ts';
import { MAX_DRAIN_FIRST_BYTES } from './limits.ts';
import { DOCUMENT_TURNS } from './loop-turns.ts';
import { isSecure } from '../http/listener.ts';
import type { Serve } from '../http/pipeline.ts';
import { announcedBytes, type Received } from './request-body.ts';
import { postObject } from './post-object.ts';
import { answerPreflight, corsHeaders } from './preflight.ts';
import { readHead, type RequestHead } from './request-head.ts';
import { wireHeaders } from '../http/request-target.ts';
import { readInput } from './request-input.ts';
import {
  abortedWith,
  dateHeader,
  requestIds,
  sendBytes,
  sendText,
  sendWhole,
} from '../http/respond.ts';
import { route, type RoutedBy, type RoutedOperation } from './route.ts';
import { traceIdOf } from './trace-id.ts';

/** Who says it, in every error: the specification has the element, nothing hangs on the value. */
const HOST_ID = 'holdfast';

const LAST: WireHeaders = [['connection', 'close']];

export interface ExchangeOptions extends Omit<GatewayOptions, 'host' | 'port' | 'tls'> {
  /** Whether the gateway takes no further requests: then each answer is its connection's last. */
  readonly isClosing: () => boolean;
}

/** What is known of a request from its first byte on, and what parsing adds to it. */
interface Exchange extends Received {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly signal: AbortSignal;
  dialect: Dialect;
  target: Target;
  /** What browsers are told with the answer, whatever it is. */
  cors: WireHeaders;
  operation?: RoutedOperation;
}

export interface Exchanges {
  readonly handle: Serve;
  /** Whether an answer has begun on this connection and has not ended: nothing else may be written to it then. */
  readonly isAnswering: (socket: Socket) => boolean;
  /** The client has ended its side within a body: whether somebody is there to be told so. */
  readonly cutOff: (socket: Socket) => boolean;
  /** Of an answer to what named no dialect. */
  readonly commonHeaders: () => WireHeaders;
}

export function exchangeHandler(options: ExchangeOptions): Exchanges {
  const { clock, logger } = options;
  const date = dateHeader(clock);
  const nextId = requestIds();
  const authenticate = authenticator(options);
  const corsRulesOf = ({ bucket }: Target) =>
    bucket === undefined ? [] : (options.browserConfig?.corsRules(bucket) ?? []);
  const authenticateForm = formAuthenticator(options);

  /** What each connection carries, or carried last. */
  const carried = new WeakMap<Socket, Exchange>();

  /** Resolves when the answer is handed to the connection; never rejects. */
  async function handle(request: IncomingMessage, response: ServerResponse, expecting: boolean) {
    response.sendDate = false;
    const headers = wireHeaders(request.rawHeaders);
    const exchange: Exchange = {
      request,
      response,
      requestId: nextId(),
      headers,
      incoming: new IncomingBody(request, response, { clock, expecting }),
      signal: abortedWith(response),
      dialect: readDialect({ headers, query: [] }, options.dialects),
      target: {},
      cors: [],
    };
    carried.set(request.socket, exchange);
    try {
      await answer(exchange);
    } catch (error) {
      await refuse(exchange, error).catch((failure: unknown) => abandon(exchange, failure));
    }
    const { requestId, operation, target } = exchange;
    if (response.headersSent) options.onAnswered?.(operation, response.statusCode);
    const traceId = traceIdOf(exchange.headers);
    const { statusCode: status } = response;
    const fields = { requestId, traceId, operation, bucket: target.bucket, status };
    logger.debug(defined(fields), 'request answered');
  }

  const isAnswering = (socket: Socket) => {
    const response = carried.get(socket)?.response;
    return response !== undefined && response.headersSent && !response.writableEnded;
  };
  const cutOff = (socket: Socket) => {
    const exchange = carried.get(socket);
    if (exchange === undefined || exchange.response.headersSent) return false;
    // Else it is a later request that was cut off: it waits for its turn, and then for its body, in vain.
    if (!exchange.request.complete) exchange.incoming.cutOff();
    return true;
  };
  const commonHeaders = () => headersOf(options.dialects.svc, nextId());
  return { handle, isAnswering, cutOff, commonHeaders };

  async function answer(exchange: Exchange): Promise<void> {
    const head = readHead(exchange.request, exchange.headers, options);
    exchange.dialect = head.dialect;
    exchange.target = head.target;
    const corsRules = corsRulesOf(head.target);
    if (head.method === 'OPTIONS') return sendUnread(exchange, answerPreflight(head, corsRules));
    exchange.cors = corsHeaders(head, corsRules);
    const operation = route(routedBy(head));
    exchange.operation = operation;
    if (operation === 'PostObject') return answerForm(exchange, head);
    const authenticated = authenticate(head, exchange.request);
    guardCustomerKeys(head, authenticated.caller, options);
    const { input, output } = await perform(operation, { exchange, head, authenticated });
    const encoded = encodeResponse(operation, { input, output }, head.dialect);
    const whole = withCommonHeaders(exchange, encoded);
    if (output.body === undefined) return sendText(exchange.response, whole);
    const sizeBytes = Number(headerValue(whole.headers, 'content-length'));
    const { body, bytes } = output;
    if (bytes !== undefined) return sendWhole(exchange.response, whole, { bytes, sizeBytes });
    await sendBytes(exchange.response, whole, { body, sizeBytes, signal: exchange.signal, clock });
  }

  async function answerForm(exchange: Exchange, head: RequestHead): Promise<void> {
    const { request, signal } = exchange;
    const encoded = await postObject({
      head,
      request,
      received: exchange,
      signal,
      clock,
      dialects: options.dialects,
      authenticate: authenticateForm,
      customerKeysOverHttp: options.customerKeysOverHttp,
      store: options.store,
      origin: originOf(exchange),
      onRead: (dialect, target) => Object.assign(exchange, { dialect, target }),
    });
    // Whatever stands behind the file is not looked at.
    await sendUnread(exchange, encoded);
  }

  /** An answer to a request whose body may have more: that must be gone before the next request. */
  async function sendUnread(exchange: Exchange, encoded: EncodedResponse): Promise<void> {
    const { request, response, incoming } = exchange;
    const isLast = !(await incoming.drain());
    const answer = withCommonHeaders(exchange, encoded, isLast || options.isClosing());
    await sendText(response, answer, isLast ? () => incoming.linger() : undefined);
    if (isLast) request.socket.destroySoon();
  }

  async function perform<N extends OperationName>(
    operation: N,
    { exchange, head, authenticated }: Authorised,
  ): Promise<{ readonly input: Input<N>; readonly output: Output<N> & Bytes }> {
    const { signal } = exchange;
    const { accessOf, region } = options;
    const { input, body, isLarge } = await readInput(operation, {
      received: exchange,
      head,
      authenticated,
      signal,
      clock,
      accessOf,
    });
    const { caller } = authenticated;
    const store = options.store(caller);
    await checkExpectedOwners(head, input, store, { signal });
    const url = () => urlOf(exchange, head);
    const call: Call = { store, caller, body, signal, region, clock, url };
    const output = await HANDLERS[operation](input, call);
    if (isLarge) await DOCUMENT_TURNS.next();
    return { input, output };
  }

  /** Tells the client what went wrong, if it can still be told, and leaves the connection in order. */
  async function refuse(exchange: Exchange, error: unknown): Promise<void> {
    const { request, response, incoming, signal } = exchange;
    if (response.headersSent || signal.aborted) return abandon(exchange, error);
    const { dialect, target, requestId } = exchange;
    const told = toStorageError(exchange, error);
    const encoded = encodeError(told, { dialect, target, requestId, hostId: HOST_ID });
    const announced = announcedBytes(exchange.headers) ?? 0;
    const drained = announced <= MAX_DRAIN_FIRST_BYTES ? await incoming.drain() : incoming.complete;
    if (drained) return sendText(response, withCommonHeaders(exchange, encoded));
    const closing = withCommonHeaders(exchange, encoded, true);
    await sendText(response, closing, () => incoming.linger());
    request.socket.destroySoon();
  }

  function toStorageError(exchange: Exchange, error: unknown): StorageError {
    if (error instanceof StorageError && error.code !== 'InternalError') return error;
    const { requestId, operation, target } = exchange;
    const stack = error instanceof Error ? error.stack : undefined;
    logger.error(
      { requestId, operation, bucket: target.bucket, error: errorMessage(error), stack },
      'request failed',
    );
    // Its own text could name files of this machine.
    return new StorageError('InternalError', ERROR_TABLE.InternalError.text);
  }

  /** An answer that has begun and cannot be ended well must not look like a whole one. */
  function abandon(exchange: Exchange, error: unknown): void {
    const { request, response, signal, requestId, operation } = exchange;
    if (!signal.aborted) {
      logger.error({ requestId, operation, error: errorMessage(error) }, 'answer broken off');
    }
    response.destroy();
    request.socket.destroy();
  }

  /** The specification, "Endpoints": every response carries both. */
  function headersOf({ headerPrefix }: Dialect, requestId: string): WireHeaders {
    return [
      [`${headerPrefix}request-id`, requestId],
      ['date', date()],
    ];
  }

  function withCommonHeaders(
    exchange: Exchange,
    encoded: EncodedResponse,
    isLast = options.isClosing(),
  ): EncodedResponse {
    const { cors, dialect, requestId } = exchange;
    const headers: WireHeaders = [
      ...encoded.headers,
      ...cors,
      ...headersOf(dialect, requestId),
      ...(isLast ? LAST : []),
    ];
    return { ...encoded, headers };
  }
}

const FORM = /^multipart\/form-data\b/i;

function routedBy({ method, target, parameters, unified, dialect }: RequestHead): RoutedBy {
  const copies = headerValue(unified, `${dialect.headerPrefix}copy-source`) !== undefined;
  const isForm = FORM.test(headerValue(unified, 'content-type') ?? '');
  return { method, target, query: parameters, copies, isForm };
}

interface Authorised {
  readonly exchange: Exchange;
  readonly head: RequestHead;
  readonly authenticated: Authenticated;
}

/** As the client addressed us; HTTP/1.1 has no request without a host. */
function urlOf(exchange: Exchange, { path }: RequestHead): string {
  return originOf(exchange) + canonicalUri(path);
}

function originOf({ request: { socket }, headers }: Exchange): string {
  return `${isSecure(socket) ? 'https' : 'http'}://${headerValue(headers, 'host') ?? ''}`;
}
