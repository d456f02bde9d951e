/**
 * Sends one attempt of a call. It signs the request, sends it, and reads the response or the error.
 */

import type { Clock } from '../base/clock.ts';
import { collect } from '../object-store/body.ts';
import type { ObjectRef } from '../object-store/object-store.ts';
import { TransportError } from '../object-store/transport-error.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { formatPath, formatQuery } from '../protocol/paths.ts';
import { presign } from '../protocol/signing/presign.ts';
import { SigningKeys, type SigningCredentials } from '../protocol/signing/signing-key.ts';
import { signRequest } from '../protocol/signing/sign-request.ts';
import type { WireQuery } from '../protocol/wire.ts';
import type { Call } from './call.ts';
import { type Addressing, Endpoint } from './endpoint.ts';
import type { IncomingResponse } from './exchange.ts';
import { explain } from './explain.ts';
import { MAX_XML_BYTES, type Timeouts, transferMs } from './limits.ts';
import { type Environment, proxyFor } from './proxy.ts';
import { refusalError } from './refusal.ts';
import { Transport } from './transport.ts';

export interface Service {
  /** The URL of the service, `http://host:port` or `https://host:port`. */
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: SigningCredentials;
  /** Whether the bucket name is in the path or in the host name. Default: `path`. */
  readonly addressing?: Addressing;
  /** The CA certificates to trust, in PEM. They replace Node's default certificate authorities. */
  readonly ca?: string;
  /** The http or https URL of a proxy, or `none`. Default: the proxy that `environment` selects. */
  readonly proxy?: string;
  /** Environment variables. They select the proxy if `proxy` is absent. */
  readonly environment?: Environment;
}

/** The request that a presigned URL permits. */
export interface LinkRequest extends ObjectRef {
  readonly method: 'GET' | 'PUT';
  /** The lifetime of the URL in seconds, from 1 to 604,800 (seven days). */
  readonly expiresSeconds: number;
}

const UTF8 = new TextDecoder();

export class Sender {
  readonly origin: string;
  readonly #service: Service;
  readonly #clock: Clock;
  readonly #timeouts: Timeouts;
  readonly #endpoint: Endpoint;
  readonly #transport: Transport;
  readonly #keys = new SigningKeys();

  /** Creates a sender. Throws TypeError for an invalid endpoint or proxy. */
  constructor(service: Service, clock: Clock, timeouts: Timeouts) {
    const { endpoint, addressing = 'path', ca, proxy: setting, environment = {} } = service;
    this.#service = service;
    this.#clock = clock;
    this.#timeouts = timeouts;
    this.#endpoint = new Endpoint(endpoint, addressing);
    const { origin, url } = this.#endpoint;
    this.origin = origin;
    const proxy = proxyFor(url, setting, environment);
    this.#transport = new Transport({ origin, timeouts, clock, ca, proxy });
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /**
   * Signs and sends the request. Resolves with a response of any status. `offsetMs` is added to
   * this machine's time.
   */
  async send(call: Call, offsetMs: number): Promise<IncomingResponse> {
    const { dialect, target, body, answerIsSmall, signal } = call;
    const address = this.#endpoint.address(target, call.request.path);
    const { method, query } = call.request;
    const { region, credentials } = this.#service;
    const signed = signRequest(
      {
        method,
        query,
        path: address.path,
        headers: [['host', address.host], ...call.request.headers],
      },
      {
        dialect,
        region,
        credentials,
        keys: this.#keys,
        now: this.#clock.now() + offsetMs,
        payloadHash: body.payloadHash,
      },
    );
    return this.#transport.exchange({
      method,
      address,
      query: query.length === 0 ? '' : `?${formatQuery(query)}`,
      headers: signed.headers,
      content: body.content(signed.seed),
      deadlineMs: this.#timeouts.attemptMs + transferMs(body.sizeBytes),
      answerIsSmall,
      signal,
    });
  }

  /**
   * Returns a presigned URL. It is valid for `expiresSeconds`, unless the credentials expire or are
   * revoked earlier. Throws InvalidArgument for an invalid lifetime.
   */
  presign(
    { method, expiresSeconds, versionId, ...target }: LinkRequest,
    dialect: Dialect,
    offsetMs: number,
  ): string {
    const { region, credentials } = this.#service;
    const { origin, path } = this.#endpoint.address(target, formatPath(target));
    const query: WireQuery = versionId === undefined ? [] : [['versionId', versionId]];
    const now = this.#clock.now() + offsetMs;
    return presign(
      { method, origin, path, query, expiresSeconds },
      { dialect, region, credentials, keys: this.#keys, now },
    );
  }

  /** Throws the error that a response reports. */
  async refuse(call: Call, response: IncomingResponse): Promise<never> {
    const { credentials } = this.#service;
    const { sessionToken } = credentials;
    const said = await this.readText(response);
    // Error responses about signatures and tokens may contain the session token, so it is masked.
    const body = sessionToken ? said.replaceAll(sessionToken, '…') : said;
    const endpoint = this.origin;
    const error = refusalError({ ...response, body }, { ...call, endpoint });
    if (error instanceof TransportError) throw error;
    const { accessKeyId } = credentials;
    const { name: operation, request } = call;
    throw explain(error, { operation, method: request.method, endpoint, accessKeyId });
  }

  /**
   * Returns the body of a small response as text. Throws TransportError `BadResponse` if it exceeds
   * MAX_XML_BYTES.
   */
  async readText({ body }: IncomingResponse): Promise<string> {
    try {
      const bytes = await collect(body, MAX_XML_BYTES);
      return bytes.byteLength === 0 ? '' : UTF8.decode(bytes);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new TransportError(
        'BadResponse',
        `cannot read the response of ${this.origin}: it has more than ${MAX_XML_BYTES} bytes`,
        { sent: true, cause },
      );
    }
  }
}
