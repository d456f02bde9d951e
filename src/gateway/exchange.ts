/** Serves one request to the storage gateway. Each method of `Exchange` performs one step of that. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import { defined } from '../base/defined.ts';
import { errorMessage } from '../base/errors.ts';
import { isSecure } from '../http/listener.ts';
import { headersOf } from '../http/request-target.ts';
import { abortedWith, sendBytes, sendText, sendWhole } from '../http/respond.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { encodeError } from '../protocol/error-document.ts';
import { readDialect } from '../protocol/header-families.ts';
import type { Headers } from '../protocol/headers.ts';
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
import type { Authenticate, Authenticated, AuthenticateForm } from './authenticate.ts';
import { clientError } from './client-error.ts';
import { guardCustomerKeys } from './customer-keys.ts';
import { checkExpectedOwners } from './expected-owners.ts';
import type { GatewayOptions } from './gateway.ts';
import { HANDLERS, type Bytes, type Call } from './handlers.ts';
import { IncomingBody } from './incoming-body.ts';
import { MAX_DRAIN_FIRST_BYTES } from './limits.ts';
import { DOCUMENT_TURNS } from './loop-turns.ts';
import { postObject } from './post-object.ts';
import { answerPreflight, corsHeaders } from './preflight.ts';
import { announcedBytes, type Received } from './request-body.ts';
import { readHead, type RequestHead } from './request-head.ts';
import { readInput } from './request-input.ts';
import { route, type RoutedBy, type RoutedOperation } from './route.ts';
import { traceIdOf } from './trace-id.ts';
import { commonHeaders } from '../http/respond.ts';

/**
 * The value of the element `HostId`, which the specification requires in every error response. Clients do not use the
 * value.
 */
const HOST_ID = 'holdfast';

const LAST: WireHeaders = [['connection', 'close']];

export interface ExchangeOptions extends Omit<GatewayOptions, 'host' | 'port' | 'tls'> {
  /** Returns whether the gateway is closing. If so, each response is the last one on its connection. */
  readonly isClosing: () => boolean;
}

/** The options and functions that all requests to a gateway share. */
export interface ExchangeContext {
  readonly options: ExchangeOptions;
  /** Returns the current value of the `date` header. */
  readonly date: () => string;
  readonly nextId: () => string;
  readonly authenticate: Authenticate;
  readonly authenticateForm: AuthenticateForm;
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether the client waits for `100 Continue`. */
  readonly expecting: boolean;
}

export class Exchange implements Received {
  readonly headers: Headers;
  readonly incoming: IncomingBody;
  readonly #context: ExchangeContext;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #requestId: string;
  /** A signal that is aborted when the client disconnects. */
  readonly #signal: AbortSignal;
  /** The dialect of the request. Undefined until the request line and the headers have been parsed. */
  #dialect: Dialect | undefined;
  #target: Target = {};
  /** The CORS headers of the response, including an error response. */
  #cors: WireHeaders = [];
  #operation: RoutedOperation | undefined;

  constructor(context: ExchangeContext, { request, response, expecting }: Arrived) {
    const { clock } = context.options;
    response.sendDate = false;
    this.#context = context;
    this.#request = request;
    this.#response = response;
    this.#requestId = context.nextId();
    this.#signal = abortedWith(response);
    this.headers = headersOf(request.rawHeaders);
    this.incoming = new IncomingBody(request, response, { clock, expecting });
  }

  /** Whether the response has begun but not ended. */
  get isAnswering(): boolean {
    return this.#response.headersSent && !this.#response.writableEnded;
  }

  /**
   * Called when the client has closed its sending side of the connection. Returns whether the client still receives a
   * response to this request.
   */
  cutOff(): boolean {
    if (this.#response.headersSent) return false;
    // If this request is complete, the client has cut off a later request. The exchange of that request then handles
    // the event.
    if (!this.#request.complete) this.incoming.cutOff();
    return true;
  }

  /** Serves the request. Resolves when the response has been handed over to the connection, and never rejects. */
  async run(): Promise<void> {
    try {
      await this.#answer();
    } catch (error) {
      await this.#refuse(error).catch((failure: unknown) => this.#abandon(failure));
    }
    this.#report();
  }

  #report(): void {
    const { onAnswered, logger } = this.#context.options;
    const { statusCode: status, headersSent } = this.#response;
    if (headersSent) onAnswered?.(this.#operation, status);
    const traceId = traceIdOf(this.headers);
    const fields = { ...this.#logFields(), traceId, status };
    logger.debug(defined(fields), 'request answered');
  }

  #logFields() {
    return {
      requestId: this.#requestId,
      operation: this.#operation,
      bucket: this.#target.bucket,
    };
  }

  async #answer(): Promise<void> {
    const { options, authenticate } = this.#context;
    const head = readHead(this.#request, this.headers, options);
    this.#dialect = head.dialect;
    this.#target = head.target;
    const { bucket } = head.target;
    const corsRules = bucket === undefined ? [] : (options.browserConfig?.corsRules(bucket) ?? []);
    if (head.method === 'OPTIONS') return this.#sendUnread(answerPreflight(head, corsRules));
    this.#cors = corsHeaders(head, corsRules);
    const operation = route(routedBy(head));
    this.#operation = operation;
    if (operation === 'PostObject') return this.#answerForm(head);
    const authenticated = authenticate(head, this.#request);
    guardCustomerKeys(head, authenticated.caller, options);
    const { input, output } = await this.#perform(operation, head, authenticated);
    await this.#send(encodeResponse(operation, { input, output }, head.dialect), output);
  }

  async #perform<N extends OperationName>(
    operation: N,
    head: RequestHead,
    authenticated: Authenticated,
  ): Promise<{ readonly input: Input<N>; readonly output: Output<N> & Bytes }> {
    const { accessOf, clock, region, store: storeOf } = this.#context.options;
    const signal = this.#signal;
    const { input, body, isLarge } = await readInput(operation, {
      received: this,
      head,
      authenticated,
      signal,
      clock,
      accessOf,
    });
    const { caller } = authenticated;
    const store = storeOf(caller);
    await checkExpectedOwners(head, input, store, { signal });
    // Returns the URL as the client sent it. Every HTTP/1.1 request has a host.
    const url = () => this.#origin() + canonicalUri(head.path);
    const call: Call = { store, caller, body, signal, region, clock, url };
    const output = await HANDLERS[operation](input, call);
    if (isLarge) await DOCUMENT_TURNS.next();
    return { input, output };
  }

  async #send(encoded: EncodedResponse, { body, bytes }: Bytes): Promise<void> {
    const response = this.#response;
    const whole = this.#withCommonHeaders(encoded);
    if (body === undefined) return sendText(response, whole);
    const sizeBytes = Number(headerValue(whole.headers, 'content-length'));
    if (bytes !== undefined) return sendWhole(response, whole, { bytes, sizeBytes });
    const { clock } = this.#context.options;
    await sendBytes(response, whole, { body, sizeBytes, signal: this.#signal, clock });
  }

  async #answerForm(head: RequestHead): Promise<void> {
    const { options, authenticateForm } = this.#context;
    const { clock, customerKeysOverHttp, dialects, store } = options;
    const encoded = await postObject({
      head,
      request: this.#request,
      received: this,
      signal: this.#signal,
      clock,
      dialects,
      authenticate: authenticateForm,
      customerKeysOverHttp,
      store,
      origin: this.#origin(),
      onRead: (dialect, target) => {
        this.#dialect = dialect;
        this.#target = target;
      },
    });
    // The form fields after the file were not read.
    await this.#sendUnread(encoded);
  }

  /**
   * Sends the response to a request whose body may not have been read completely. The rest of the body must be read
   * before the next request.
   */
  async #sendUnread(encoded: EncodedResponse): Promise<void> {
    const isLast = !(await this.incoming.drain());
    const isClosing = this.#context.options.isClosing();
    const answer = this.#withCommonHeaders(encoded, isLast || isClosing);
    await sendText(this.#response, answer, isLast ? () => this.incoming.linger() : undefined);
    if (isLast) this.#request.socket.destroySoon();
  }

  /**
   * Sends an error response if the client can still receive one. If the unread body is small, reads it first. Otherwise
   * closes the connection after the response.
   */
  async #refuse(error: unknown): Promise<void> {
    if (this.#response.headersSent || this.#signal.aborted) return this.#abandon(error);
    const [dialect, target, requestId] = [this.#spoken(), this.#target, this.#requestId];
    const mapped = clientError(error, this.#logFields(), this.#context.options.logger);
    const encoded = encodeError(mapped, { dialect, target, requestId, hostId: HOST_ID });
    const announced = announcedBytes(this.headers) ?? 0;
    const { incoming } = this;
    const drained = announced <= MAX_DRAIN_FIRST_BYTES ? await incoming.drain() : incoming.complete;
    if (drained) return sendText(this.#response, this.#withCommonHeaders(encoded));
    const closing = this.#withCommonHeaders(encoded, true);
    await sendText(this.#response, closing, () => incoming.linger());
    this.#request.socket.destroySoon();
  }

  /**
   * Closes the connection because a response failed after it had begun. Otherwise the client could mistake the response
   * for a complete one.
   */
  #abandon(error: unknown): void {
    const { requestId, operation } = this.#logFields();
    if (!this.#signal.aborted) {
      const fields = { requestId, operation, error: errorMessage(error) };
      this.#context.options.logger.error(fields, 'response aborted');
    }
    this.#response.destroy();
    this.#request.socket.destroy();
  }

  #withCommonHeaders(
    encoded: EncodedResponse,
    isLast = this.#context.options.isClosing(),
  ): EncodedResponse {
    const headers: WireHeaders = [
      ...encoded.headers,
      ...this.#cors,
      ...commonHeaders(this.#spoken(), this.#requestId, this.#context.date()),
      ...(isLast ? LAST : []),
    ];
    return { ...encoded, headers };
  }

  /**
   * Returns the dialect of the response. If the request line cannot be parsed, only the headers determine the dialect.
   */
  #spoken(): Dialect {
    const { dialects } = this.#context.options;
    return (this.#dialect ??= readDialect({ headers: this.headers, query: [] }, dialects));
  }

  #origin(): string {
    const scheme = isSecure(this.#request.socket) ? 'https' : 'http';
    return `${scheme}://${this.headers.get('host') ?? ''}`;
  }
}

const FORM = /^multipart\/form-data\b/i;

function routedBy({ method, target, parameters, unified, dialect }: RequestHead): RoutedBy {
  const copies = unified.has(`${dialect.headerPrefix}copy-source`);
  const isForm = FORM.test(unified.get('content-type') ?? '');
  return { method, target, query: parameters, copies, isForm };
}
