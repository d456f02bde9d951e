/**
 * Serves buckets as websites on a separate port. Responds to GET and HEAD requests for objects that
 * an anonymous caller may read.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { BrowserConfig } from '../../object-store/browser-config.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { ObjectReader } from '../../object-store/object-store.ts';
import { isStorageError, StorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../../protocol/dialect.ts';
import { percentDecode } from '../../protocol/percent.ts';
import type { Headers } from '../../protocol/headers.ts';
import { headerValue, type WireHeaders, type WireResponse } from '../../protocol/wire.ts';
import { bucketIn } from '../addressing.ts';
import { ANONYMOUS } from '../authenticate.ts';
import { clientError } from '../client-error.ts';
import { commonHeaders } from '../../http/respond.ts';
import { isSecure, openListener, type Address, type Listener } from '../../http/listener.ts';
import { peerReader } from '../peer.ts';
import { corsHeaders } from '../preflight.ts';
import { headersOf, originForm } from '../../http/request-target.ts';
import {
  abortedWith,
  dateHeader,
  requestIds,
  sendBytes,
  sendText,
  sendWhole,
} from '../../http/respond.ts';
import { encodeOutcome, type Answer } from './encode.ts';
import type { Origin } from './location.ts';
import { show, type Outcome } from './show.ts';

export interface WebsiteOptions extends Address {
  /** The base names of hosts, in lowercase. `<bucket>.<base>` is the website of the bucket. */
  readonly baseNames: readonly string[];
  readonly browserConfig: BrowserConfig;
  /** Returns the store with the permissions of one caller. */
  readonly store: (caller: Caller) => ObjectReader;
  /** The dialect of vendor headers in responses. */
  readonly dialect: Dialect;
  /**
   * The addresses and address ranges of proxies whose `X-Forwarded-For` header is trusted. Default:
   * none.
   */
  readonly trustedProxies?: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

const METHODS = 'GET, HEAD';
const LAST: WireHeaders = [['connection', 'close']];

/**
 * Opens a listener, and resolves when it listens. Throws GatewayError; its message contains the
 * host and the port.
 */
export async function openWebsites(options: WebsiteOptions): Promise<Listener> {
  const { host, port, clock, logger } = options;
  const visits = new Visits(options);
  const { serve, isAnswering, commonHeaders } = visits;
  // Website requests have no body, so a response does not have to wait until a body has been read.
  const cutOff = () => false;
  const listening = { clock, logger, serve, isAnswering, cutOff, commonHeaders };
  const listener = await openListener({ host, port }, listening);
  const close = () => {
    visits.isClosing = true;
    return listener.close();
  };
  return { ...listener, close };
}

interface Visitor {
  readonly request: IncomingMessage;
  readonly headers: Headers;
  readonly requestId: string;
  readonly signal: AbortSignal;
  bucket?: string;
  path?: string;
  cors: WireHeaders;
}

/** Serves the requests to all websites. Each private method performs one step of that. */
class Visits {
  /** Whether the listener accepts no more requests. */
  isClosing = false;
  readonly #options: WebsiteOptions;
  readonly #answered = new WeakMap<Socket, ServerResponse>();
  readonly #date: () => string;
  readonly #nextId = requestIds();
  readonly #peerOf: ReturnType<typeof peerReader>;

  constructor(options: WebsiteOptions) {
    this.#options = options;
    this.#date = dateHeader(options.clock);
    this.#peerOf = peerReader(options.trustedProxies);
  }

  /**
   * Serves one request. Resolves when the response has been handed over to the connection, and
   * never rejects.
   */
  readonly serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { logger } = this.#options;
    this.#answered.set(request.socket, response);
    response.sendDate = false;
    const headers = headersOf(request.rawHeaders);
    const signal = abortedWith(response);
    const requestId = this.#nextId();
    const visitor: Visitor = { request, headers, requestId, signal, cors: [] };
    try {
      const outcome = await this.#visit(visitor).catch((error: unknown) =>
        this.#failed(visitor, error),
      );
      await this.#send(visitor, response, outcome);
    } catch (error) {
      if (!signal.aborted)
        logger.error({ requestId, error: errorMessage(error) }, 'website response aborted');
      response.destroy();
    }
    const { bucket } = visitor;
    logger.debug({ requestId, bucket, status: response.statusCode }, 'website visited');
  };

  readonly isAnswering = (socket: Socket): boolean => {
    const response = this.#answered.get(socket);
    return response !== undefined && response.headersSent && !response.writableEnded;
  };

  readonly commonHeaders = (requestId = this.#nextId()): WireHeaders =>
    commonHeaders(this.#options.dialect, requestId, this.#date());

  async #visit(visitor: Visitor): Promise<Outcome> {
    const { request, headers, signal } = visitor;
    const { browserConfig, clock, dialect, store } = this.#options;
    const { method = '', url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') throw notAllowed(method);
    const bucket = this.#bucketOf(headers);
    visitor.bucket = bucket;
    visitor.path = pathOf(originForm(url, headers));
    visitor.cors = corsHeaders({ method, headers }, browserConfig.corsRules(bucket));
    const peer = this.#peerOf(headers, request);
    const caller: Caller = { ...peer, ...ANONYMOUS, signedAt: clock.now() };
    return show({
      bucket,
      path: visitor.path,
      method,
      headers,
      website: browserConfig.website(bucket),
      store: store(caller),
      caller,
      dialect,
      signal,
    });
  }

  /**
   * Returns the bucket that the host names. Throws NoSuchBucket for any other host, even for an
   * invalid one.
   */
  #bucketOf(headers: Headers): string {
    const host = headers.get('host') ?? '';
    const bucket = this.#namedBucket(host);
    if (bucket !== undefined) return bucket;
    throw new StorageError('NoSuchBucket', 'read host: it is not the host of a website', {
      details: { Host: host },
    });
  }

  #namedBucket(host: string): string | undefined {
    try {
      return bucketIn(host, this.#options.baseNames);
    } catch (error) {
      if (isStorageError(error)) return undefined;
      throw error;
    }
  }

  #failed({ requestId, bucket, signal }: Visitor, error: unknown): Outcome {
    if (signal.aborted) throw error;
    const { logger } = this.#options;
    return { kind: 'error', error: clientError(error, { requestId, bucket }, logger) };
  }

  async #send(visitor: Visitor, response: ServerResponse, outcome: Outcome): Promise<void> {
    const { requestId, bucket, path, signal } = visitor;
    const { clock, dialect } = this.#options;
    const origin = originOf(visitor);
    const encoded = encodeOutcome(outcome, { bucket, path, requestId, dialect, origin });
    const answer = this.#withCommonHeaders(visitor, encoded);
    const { body, bytes } = encoded.shown ?? {};
    const sizeBytes = Number(headerValue(answer.headers, 'content-length'));
    if (bytes !== undefined) return sendWhole(response, answer, { bytes, sizeBytes });
    if (body === undefined) return sendText(response, { ...answer, body: encoded.text ?? '' });
    await sendBytes(response, answer, { body, sizeBytes, signal, clock });
  }

  #withCommonHeaders(visitor: Visitor, { status, headers }: Answer): WireResponse {
    const { cors, headers: asked, requestId } = visitor;
    const isLast = this.isClosing || announcesBody(asked);
    return {
      status,
      headers: [...headers, ...cors, ...this.commonHeaders(requestId), ...(isLast ? LAST : [])],
    };
  }
}

/**
 * Returns whether a request has a body. The body of such a request is not read, so the connection cannot be used for a
 * further request.
 */
function announcesBody(headers: Headers): boolean {
  const length = headers.get('content-length') ?? '0';
  return length !== '0' || headers.has('transfer-encoding');
}

/**
 * Returns the path, percent-decoded once like the key of an object. The query is ignored. Throws
 * InvalidURI.
 */
function pathOf(url: string): string {
  if (!url.startsWith('/')) throw new StorageError('InvalidURI', 'read URI: it must start with /');
  return percentDecode(url.slice(1).split('?', 1)[0] ?? '');
}

function originOf({ request: { socket }, headers }: Visitor): Origin {
  return {
    protocol: isSecure(socket) ? 'https' : 'http',
    host: headers.get('host') ?? '',
  };
}

function notAllowed(method: string): StorageError {
  return new StorageError('MethodNotAllowed', `visit website: ${method} is not allowed here`, {
    details: { Method: method, Allow: METHODS },
  });
}
