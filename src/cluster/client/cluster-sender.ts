/** Signs and sends requests, and reads the responses. Retries a request if a retry is safe. */

import { hash } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import { TIMEOUTS } from '../../client/limits.ts';
import { proxyFor } from '../../client/proxy.ts';
import { Transport } from '../../client/transport.ts';
import type { IncomingResponse } from '../../client/exchange.ts';
import { TransportError } from '../../object-store/transport-error.ts';
import { formatQuery } from '../../protocol/paths.ts';
import { percentEncodePath } from '../../protocol/percent.ts';
import { SigningKeys } from '../../protocol/signing/signing-key.ts';
import { signRequest } from '../../protocol/signing/sign-request.ts';
import { headerValue, type WireHeaders } from '../../protocol/wire.ts';
import { isClusterError } from '../cluster-error.ts';
import type { WireCall } from '../wire/request.ts';
import type { ClusterClientOptions } from './cluster-client.ts';
import { refusalOf } from './refusal.ts';

/** The maximum size of a response, which is one page of names or one resource. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_ATTEMPTS = 4;
const BASE_DELAY_MS = 200;

const KEY_REFUSED = [
  'UnrecognizedClientException',
  'InvalidSignatureException',
  'ExpiredTokenException',
] as const;

export class ClusterSender {
  readonly url: string;
  readonly #options: ClusterClientOptions;
  readonly #base: URL;
  readonly #keys = new SigningKeys();
  readonly #transport: Transport;

  constructor(options: ClusterClientOptions) {
    const { url, proxy: setting, environment = {}, ca, clock } = options;
    this.#options = options;
    this.#base = parseBase(url);
    this.url = this.#base.href.replace(/\/$/, '');
    const proxy = proxyFor(this.#base, setting, environment);
    const { origin } = this.#base;
    this.#transport = new Transport({ origin, timeouts: TIMEOUTS, clock, ca, proxy });
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /**
   * Sends a request and returns the JSON document of the response. Throws ClusterError and
   * TransportError.
   */
  async send(call: WireCall, signal?: AbortSignal): Promise<unknown> {
    for (let number = 1; ; number += 1) {
      try {
        return await this.#attempt(call, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (isClusterError(error, ...KEY_REFUSED)) this.#options.onKeyRefused?.();
        const isLast = number >= MAX_ATTEMPTS || !mayRepeat(error, call);
        if (isLast) throw error;
        await this.#options.clock.sleep(BASE_DELAY_MS * 2 ** number * Math.random(), signal);
      }
    }
  }

  async #attempt(call: WireCall, signal: AbortSignal | undefined): Promise<unknown> {
    const { dialect, region, credentials, clock } = this.#options;
    const { origin, host, pathname } = this.#base;
    const path = `${pathname.replace(/\/$/, '')}${call.path}`;
    const content = call.body === undefined ? undefined : Buffer.from(call.body);
    const headers: WireHeaders = [
      ['host', host],
      ...(content ? ([['content-type', 'application/json']] as const) : []),
    ];
    const { headers: signed } = signRequest(
      // Signature version 4 encodes the canonical path twice for every service except S3.
      { method: call.verb, path: percentEncodePath(path), query: call.query, headers },
      {
        dialect,
        region,
        credentials,
        keys: this.#keys,
        now: clock.now(),
        payloadHash: hash('sha256', content ?? '', 'hex'),
      },
    );
    const response = await this.#transport.exchange({
      method: call.verb,
      address: { origin, host, path },
      query: call.query.length === 0 ? '' : `?${formatQuery(call.query)}`,
      headers: signed,
      content,
      deadlineMs: TIMEOUTS.connectMs + TIMEOUTS.headersMs,
      answerIsSmall: true,
      signal,
    });
    const document = await this.#read(response);
    if (response.status < 300) return document;
    throw refusalOf({ ...response, document }, { ...call, url: this.url });
  }

  /**
   * Returns the JSON document of a response, or `{}` if the body is empty. Returns undefined for an
   * error response that is not JSON. Such a response usually comes from a proxy.
   */
  async #read({ body, status, headers }: IncomingResponse): Promise<unknown> {
    const chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    for await (const chunk of body) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > MAX_ANSWER_BYTES)
        throw this.#badAnswer(`it has more than ${MAX_ANSWER_BYTES} bytes`);
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString();
    try {
      return text === '' ? {} : (JSON.parse(text) as unknown);
    } catch (cause) {
      if (status >= 300) return undefined;
      const type = headerValue(headers, 'content-type') ?? 'unknown content';
      throw this.#badAnswer(`it is not JSON, but ${type}`, cause);
    }
  }

  #badAnswer(reason: string, cause?: unknown): TransportError {
    const message = `read answer of ${this.url}: ${reason}`;
    return new TransportError('BadResponse', message, { sent: true, ...defined({ cause }) });
  }
}

/**
 * Returns whether the request may be retried. A request that changes something is retried only if the service did not
 * execute it, because some operations have no idempotency token.
 */
function mayRepeat(error: unknown, { verb }: WireCall): boolean {
  if (isClusterError(error, 'ThrottlingException')) return true;
  if (error instanceof TransportError)
    return error.code !== 'BadResponse' && (verb === 'GET' || !error.sent);
  return verb === 'GET' && isClusterError(error, 'ServerException', 'ServiceUnavailableException');
}

function parseBase(text: string): URL {
  const url = URL.parse(text);
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new TypeError(
    'open cluster client: the URL must be http://HOST[:PORT][/PATH] or https://…',
  );
}
