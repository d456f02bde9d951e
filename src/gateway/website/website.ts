/** Buckets as websites, on a port of their own: GET and HEAD for everyone, as far as everyone may read. */

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
import { ERROR_TABLE } from '../../protocol/error-table.ts';
import { percentDecode } from '../../protocol/percent.ts';
import { headerValue, type WireHeaders, type WireResponse } from '../../protocol/wire.ts';
import { bucketIn } from '../addressing.ts';
import { ANONYMOUS } from '../authenticate.ts';
import { isSecure, openListener, type Address, type Listener } from '../../http/listener.ts';
import { peerReader } from '../peer.ts';
import { corsHeaders } from '../preflight.ts';
import { originForm, wireHeaders } from '../../http/request-target.ts';
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
  /** Names below which a host names a bucket, lower case. */
  readonly baseNames: readonly string[];
  readonly browserConfig: BrowserConfig;
  /** The store as one caller may read it. */
  readonly store: (caller: Caller) => ObjectReader;
  /** Whose spelling vendor headers have. */
  readonly dialect: Dialect;
  /** Addresses and ranges of proxies on the way, whose `X-Forwarded-For` is believed; none without. */
  readonly trustedProxies?: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

const METHODS = 'GET, HEAD';
const LAST: WireHeaders = [['connection', 'close']];

/** Listens when it resolves. Throws GatewayError, naming host and port. */
export async function openWebsites(options: WebsiteOptions): Promise<Listener> {
  const { host, port, clock, logger } = options;
  const answered = new WeakMap<Socket, ServerResponse>();
  const { handle, close, commonHeaders } = visitHandler(options);
  const listener = await openListener(
    { host, port },
    {
      clock,
      logger,
      serve: (request, response) => {
        answered.set(request.socket, response);
        return handle(request, response);
      },
      isAnswering: (socket) => {
        const response = answered.get(socket);
        return response !== undefined && response.headersSent && !response.writableEnded;
      },
      // No body means anything here, so nobody waits for one.
      cutOff: () => false,
      commonHeaders: () => commonHeaders(),
    },
  );
  return { ...listener, close: () => (close(), listener.close()) };
}

interface Visitor {
  readonly request: IncomingMessage;
  readonly headers: WireHeaders;
  readonly requestId: string;
  readonly signal: AbortSignal;
  bucket?: string;
  path?: string;
  cors: WireHeaders;
}

function visitHandler(options: WebsiteOptions) {
  const { baseNames, browserConfig, clock, dialect, logger, store } = options;
  const date = dateHeader(clock);
  const nextId = requestIds();
  const peerOf = peerReader(options.trustedProxies);
  let closing = false;
  return { handle, close: () => void (closing = true), commonHeaders };

  function commonHeaders(requestId = nextId()): WireHeaders {
    return [
      [`${dialect.headerPrefix}request-id`, requestId],
      ['date', date()],
    ];
  }

  /** Resolves when the answer is handed to the connection; never rejects. */
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.sendDate = false;
    const headers = wireHeaders(request.rawHeaders);
    const signal = abortedWith(response);
    const visitor: Visitor = { request, headers, requestId: nextId(), signal, cors: [] };
    try {
      const outcome = await visit(visitor).catch((error: unknown) => failed(visitor, error));
      await send(visitor, response, outcome);
    } catch (error) {
      if (!signal.aborted) {
        logger.error(
          { requestId: visitor.requestId, error: errorMessage(error) },
          'website answer broken off',
        );
      }
      response.destroy();
    }
    const { requestId, bucket } = visitor;
    logger.debug({ requestId, bucket, status: response.statusCode }, 'website visited');
  }

  async function visit(visitor: Visitor): Promise<Outcome> {
    const { request, headers, signal } = visitor;
    const { method = '', url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') throw notAllowed(method);
    const bucket = bucketOf(headers);
    visitor.bucket = bucket;
    visitor.path = pathOf(originForm(url, headers));
    visitor.cors = corsHeaders({ method, headers }, browserConfig.corsRules(bucket));
    const caller: Caller = { ...peerOf(headers, request), ...ANONYMOUS, signedAt: clock.now() };
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

  /** Throws NoSuchBucket for any other host, too: there is nothing to be found there. */
  function bucketOf(headers: WireHeaders): string {
    const host = headerValue(headers, 'host') ?? '';
    const bucket = namedBucket(host);
    if (bucket !== undefined) return bucket;
    throw new StorageError('NoSuchBucket', 'read host: it names no website', {
      details: { Host: host },
    });
  }

  function namedBucket(host: string): string | undefined {
    try {
      return bucketIn(host, baseNames);
    } catch (error) {
      if (isStorageError(error)) return undefined;
      throw error;
    }
  }

  function failed({ requestId, bucket, signal }: Visitor, error: unknown): Outcome {
    if (signal.aborted) throw error;
    if (isStorageError(error) && error.code !== 'InternalError') return { kind: 'error', error };
    const stack = error instanceof Error ? error.stack : undefined;
    logger.error({ requestId, bucket, error: errorMessage(error), stack }, 'website failed');
    // Its own text could name files of this machine.
    const told = new StorageError('InternalError', ERROR_TABLE.InternalError.text);
    return { kind: 'error', error: told };
  }

  async function send(visitor: Visitor, response: ServerResponse, outcome: Outcome): Promise<void> {
    const { requestId, bucket, path, signal } = visitor;
    const encoded = encodeOutcome(outcome, {
      bucket,
      path,
      requestId,
      dialect,
      origin: originOf(visitor),
    });
    const answer = withCommonHeaders(visitor, encoded);
    const { body, bytes } = encoded.shown ?? {};
    const sizeBytes = Number(headerValue(answer.headers, 'content-length'));
    if (bytes !== undefined) return sendWhole(response, answer, { bytes, sizeBytes });
    if (body === undefined) return sendText(response, { ...answer, body: encoded.text ?? '' });
    await sendBytes(response, answer, { body, sizeBytes, signal, clock });
  }

  function withCommonHeaders(visitor: Visitor, { status, headers }: Answer): WireResponse {
    const { cors, headers: asked, requestId } = visitor;
    return {
      status,
      headers: [
        ...headers,
        ...cors,
        ...commonHeaders(requestId),
        ...(closing || announcesBody(asked) ? LAST : []),
      ],
    };
  }
}

/** Of a request that should have none: what follows on its connection may be anything. */
function announcesBody(headers: WireHeaders): boolean {
  const length = headerValue(headers, 'content-length') ?? '0';
  return length !== '0' || headerValue(headers, 'transfer-encoding') !== undefined;
}

/** Decoded once, like a key of the interface; the query means nothing. */
function pathOf(url: string): string {
  if (!url.startsWith('/')) throw new StorageError('InvalidURI', 'read URI: it must start with /');
  return percentDecode(url.slice(1).split('?', 1)[0] ?? '');
}

function originOf({ request: { socket }, headers }: Visitor): Origin {
  return {
    protocol: isSecure(socket) ? 'https' : 'http',
    host: headerValue(headers, 'host') ?? '',
  };
}

function notAllowed(method: string): StorageError {
  return new StorageError('MethodNotAllowed', `visit website: ${method} is not allowed here`, {
    details: { Method: method, Allow: METHODS },
  });
}
