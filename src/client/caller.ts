/** Calls operations of the table: encode, sign, send, read, and again where retry.ts says so. */

import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { type Body, collect } from '../object-store/body.ts';
import type { CallOptions } from '../object-store/object-store.ts';
import { TransportError } from '../object-store/transport-error.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { decodeError } from '../protocol/error-document.ts';
import {
  decodeResponse,
  encodeRequest,
  type Input,
  type OperationName,
  type Output,
} from '../protocol/operations.ts';
import { formatQuery, type Target } from '../protocol/paths.ts';
import { SigningKeys, type SigningCredentials } from '../protocol/signing/signing-key.ts';
import { signRequest } from '../protocol/signing/sign-request.ts';
import type { WireHeaders, WireRequest } from '../protocol/wire.ts';
import { explain } from './explain.ts';
import { MAX_XML_BYTES } from './limits.ts';
import { NO_BODY, objectBody, type OutgoingBody, textBody } from './outgoing-body.ts';
import type { IncomingResponse } from './response.ts';
import { retryDelay } from './retry.ts';
import { openTransport, type Transport } from './transport.ts';

export interface CallerOptions {
  /** `http://host:port` or `https://…`. */
  readonly endpoint: string;
  readonly region: string;
  readonly dialect: Dialect;
  readonly credentials: SigningCredentials;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** An output with the stream of bytes beside it, which must be read or returned. */
export interface Streamed<O> {
  readonly output: O;
  readonly body: AsyncIterable<Uint8Array>;
}

export class OperationCaller {
  readonly #options: CallerOptions;
  readonly #host: string;
  readonly #origin: string;
  readonly #transport: Transport;
  readonly #keys = new SigningKeys();
  #closed = false;

  constructor(options: CallerOptions) {
    const url = parseEndpoint(options.endpoint);
    this.#options = options;
    this.#host = url.host;
    this.#origin = url.origin;
    this.#transport = openTransport(url.origin, options.clock);
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#transport.close();
  }

  /** An operation whose answer is small. */
  async call<N extends OperationName>(
    name: N,
    input: Input<N>,
    options: CallOptions & { readonly body?: Body } = {},
  ): Promise<Output<N>> {
    return this.#repeat(name, input, options, async (response) => {
      const body = await this.#readText(response);
      // An upload's completion and a copy may have begun to answer before they failed.
      if (/^\s*(?:<\?xml[^>]*>\s*)?<Error[\s>]/.test(body)) {
        throw decodeError({ ...response, status: 500, body }, this.#context(input));
      }
      const { status, headers } = response;
      return decodeResponse(name, { status, headers, body }, this.#options.dialect);
    });
  }

  /** An operation whose answer is an object's bytes. */
  async stream<N extends OperationName>(
    name: N,
    input: Input<N>,
    options: CallOptions = {},
  ): Promise<Streamed<Output<N>>> {
    return this.#repeat(name, input, options, async ({ status, headers, body }) => ({
      output: decodeResponse(name, { status, headers }, this.#options.dialect),
      body,
    }));
  }

  async #repeat<N extends OperationName, T>(
    name: N,
    input: Input<N>,
    options: CallOptions & { readonly body?: Body },
    read: (response: IncomingResponse) => Promise<T>,
  ): Promise<T> {
    const { dialect, clock, logger } = this.#options;
    const { signal } = options;
    signal?.throwIfAborted();
    const { body: text, ...request } = encodeRequest(name, input, dialect);
    const body = await outgoing(options.body, text, dialect);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isGuarded = 'conditions' in input && input.conditions !== undefined;
    for (let number = 1; ; number += 1) {
      try {
        return await this.#once(name, { request, body, target: input, signal }, read);
      } catch (error) {
        signal?.throwIfAborted();
        const attempt = { number, isRead, isGuarded, repeatable: body.repeatable };
        const delayMs = retryDelay(error, attempt, Math.random());
        if (delayMs === undefined || this.#closed) throw error;
        logger.debug({ operation: name, attempt: number, delayMs }, 'calling again');
        await clock.sleep(delayMs, signal);
      }
    }
  }

  async #once<T>(
    operation: OperationName,
    call: {
      readonly request: WireRequest;
      readonly body: OutgoingBody;
      readonly target: Target;
      readonly signal: AbortSignal | undefined;
    },
    read: (response: IncomingResponse) => Promise<T>,
  ): Promise<T> {
    const { request, body, target, signal } = call;
    const { method } = request;
    const { headers, content } = this.#sign(request, body);
    const path =
      request.path + (request.query.length === 0 ? '' : `?${formatQuery(request.query)}`);
    const response = await this.#transport.exchange(
      { method, target: path, headers, content },
      signal,
    );
    if (response.status < 300) return read(response);
    const text = await this.#readText(response);
    const error = decodeError({ ...response, body: text }, this.#context(target));
    const { accessKeyId } = this.#options.credentials;
    throw explain(error, { operation, method, endpoint: this.#origin, accessKeyId });
  }

  #sign(request: WireRequest, body: OutgoingBody) {
    const { dialect, region, credentials, clock } = this.#options;
    const headers: WireHeaders = [['host', this.#host], ...withBodyHeaders(request, body)];
    const signed = signRequest(
      { ...request, headers },
      {
        dialect,
        region,
        credentials,
        keys: this.#keys,
        now: clock.now(),
        payloadHash: body.payloadHash,
      },
    );
    return { headers: signed.headers, content: body.content(signed.seed) };
  }

  async #readText({ body }: IncomingResponse): Promise<string> {
    try {
      return new TextDecoder().decode(await collect(body, MAX_XML_BYTES));
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new TransportError(
        'BadResponse',
        `read answer of ${this.#origin}: more than ${MAX_XML_BYTES} bytes`,
        { sent: true, cause },
      );
    }
  }

  #context(target: Target) {
    return { dialect: this.#options.dialect, target };
  }
}

/** Throws TypeError for what could not be addressed as `/bucket/key` under the host itself. */
function parseEndpoint(endpoint: string): URL {
  const url = URL.parse(endpoint);
  const plain = url?.pathname === '/' && !url.search && !url.username && !url.password;
  if (plain && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new TypeError(
    'open client: the endpoint must be http://host[:port] or https://host[:port]',
  );
}

async function outgoing(
  body: Body | undefined,
  text: string | undefined,
  dialect: Dialect,
): Promise<OutgoingBody> {
  if (body !== undefined) return objectBody(body, dialect);
  return text === undefined ? NO_BODY : textBody(text);
}

/** The object's own Content-Encoding stands beside the framing's. */
function withBodyHeaders({ headers }: WireRequest, body: OutgoingBody): WireHeaders {
  const own = headers.find(([name]) => name === 'content-encoding');
  if (own === undefined) return [...headers, ...body.headers];
  return [
    ...headers.filter((header) => header !== own || !body.headers.some(isEncoding)),
    ...body.headers.map(([name, value]): readonly [string, string] =>
      name === 'content-encoding' ? [name, `${value},${own[1]}`] : [name, value],
    ),
  ];
}

function isEncoding([name]: readonly [string, string]): boolean {
  return name === 'content-encoding';
}
