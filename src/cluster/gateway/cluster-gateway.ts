/**
 * Serves the cluster service over HTTP, as a REST API with JSON and signed requests. One port accepts both dialects.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { type Listener, openListener } from '../../http/listener.ts';
import { headersOf, originForm } from '../../http/request-target.ts';
import { abortedWith, dateHeader, requestIds, sendText } from '../../http/respond.ts';
import { readJson } from '../../object-store/rules/strict-json.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../../protocol/dialect.ts';
import { readDialect } from '../../protocol/header-families.ts';
import type { Headers } from '../../protocol/headers.ts';
import { receivedRequest } from '../../protocol/received-request.ts';
import { parseQuery } from '../../protocol/paths.ts';
import type { WireHeaders } from '../../protocol/wire.ts';
import type { Caller } from '../caller.ts';
import { CLUSTER_ERRORS, ClusterError } from '../cluster-error.ts';
import type { ClusterService } from '../cluster-service.ts';
import { type Method, parseRequest } from '../rules/check.ts';
import { fromWire } from '../wire/members.ts';
import { encodeAnswer } from '../wire/operations.ts';
import { type Authenticator, authenticator, type AuthenticateOptions } from './authenticate.ts';
import type { Serve } from '../../http/pipeline.ts';
import { MAX_BODY_BYTES, readBody } from './read-body.ts';
import { route } from './route.ts';

export interface ClusterGatewayOptions extends AuthenticateOptions {
  readonly service: (caller: Caller) => ClusterService;
  readonly host: string;
  /** The TCP port. 0 selects any free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The maximum nesting depth of a JSON body. The fields of the API are at most four levels deep. */
const MAX_BODY_DEPTH = 16;

interface Answer {
  readonly status: number;
  readonly document: unknown;
  readonly errorType?: string;
}

/**
 * Starts the service. Resolves when the service is listening. Rejects with GatewayError. Its message
 * contains the host and the port.
 */
export function openClusterGateway(options: ClusterGatewayOptions): Promise<Listener> {
  const { clock, logger } = options;
  const { serve, commonHeaders } = new ClusterExchanges(options);
  const isAnswering = () => false;
  const cutOff = () => false;
  return openListener(options, { clock, logger, serve, isAnswering, cutOff, commonHeaders });
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Headers;
  /** Whether the client waits for `100 Continue`. */
  readonly expecting: boolean;
}

/** Handles all requests of the cluster service. */
class ClusterExchanges {
  readonly #options: ClusterGatewayOptions;
  readonly #authenticate: Authenticator;
  readonly #date: () => string;
  readonly #nextId = requestIds();

  constructor(options: ClusterGatewayOptions) {
    this.#options = options;
    this.#authenticate = authenticator(options);
    this.#date = dateHeader(options.clock);
  }

  /**
   * Handles one request. Resolves when the response has been passed to the connection. Never rejects.
   */
  readonly serve: Serve = async (request, response, expecting) => {
    const { dialects, logger } = this.#options;
    response.sendDate = false;
    const headers = headersOf(request.rawHeaders);
    const dialect = readDialect({ headers, query: [] }, dialects);
    const requestId = this.#nextId();
    const arrived = { request, response, headers, expecting };
    const { status, document, errorType } = await this.#answer(arrived).catch((error: unknown) =>
      this.#refusal(error, requestId),
    );
    logger.debug({ requestId, url: request.url, status }, 'cluster request answered');
    if (response.destroyed) return;
    await sendText(response, {
      status,
      headers: [
        ['content-type', 'application/json'],
        ...(errorType === undefined ? [] : this.#errorHeaders(errorType)),
        ...idHeaders(dialect, requestId),
        ...this.commonHeaders(),
        // If the body was rejected, the rest of the body is not read, so the connection must be closed.
        ...(request.complete ? [] : ([['connection', 'close']] as const)),
      ],
      body: JSON.stringify(document),
    });
  };

  readonly commonHeaders = (): WireHeaders => [['date', this.#date()]];

  async #answer({ request, response, headers, expecting }: Arrived): Promise<Answer> {
    const { clock, dialects, service: serviceOf } = this.#options;
    const { method: verb = '' } = request;
    const url = originForm(request.url ?? '', headers);
    const question = url.indexOf('?');
    const path = question < 0 ? url : url.slice(0, question);
    const search = question < 0 ? '' : url.slice(question + 1);
    const query = parseQuery(search);
    const signed = receivedRequest({ method: verb, path, query, headers }, dialects);
    const body = await readBody(request, {
      principal: this.#authenticate.claimed(signed, clock.now()),
      signal: abortedWith(response),
      clock,
      onBegin: () => {
        if (expecting) response.writeContinue();
      },
    });
    const caller = this.#authenticate.verified(signed, body, clock.now());
    const { method, members } = route(verb, path, search);
    const asked = { ...documentOf(verb, body), ...members };
    const document = encodeAnswer(method, await call(serviceOf(caller), method, asked));
    return { status: 200, document };
  }

  #refusal(error: unknown, requestId: string): Answer {
    const known = clusterErrorOf(error);
    if (!known || known.code === 'ServerException') {
      const stack = error instanceof Error ? error.stack : undefined;
      const fields = { requestId, error: errorMessage(error), stack };
      this.#options.logger.error(fields, 'cluster request failed');
    }
    // The message of an unexpected error could contain file names of this machine, so it is not sent.
    const answered = known ?? new ClusterError('ServerException', 'An internal error occurred.');
    const { code, message, concerned } = answered;
    const document = { __type: code, message, ...concerned };
    return { status: CLUSTER_ERRORS[code], document, errorType: code };
  }

  #errorHeaders(errorType: string): WireHeaders {
    return [
      ['x-amzn-errortype', errorType],
      [`${this.#options.dialects.svc.headerPrefix}errortype`, errorType],
    ];
  }
}

function idHeaders({ name, headerPrefix }: Dialect, requestId: string): WireHeaders {
  return [[name === 'amz' ? 'x-amzn-requestid' : `${headerPrefix}request-id`, requestId]];
}

/**
 * Returns the fields in the body. Fields in the path and in the query take precedence over them. Throws ClusterError
 * `InvalidParameterException` if the body is not a JSON object.
 */
export function documentOf(verb: string, body: Uint8Array): Readonly<Record<string, unknown>> {
  if (verb !== 'POST' || body.byteLength === 0) return {};
  const document = fromWire(parseJson(body));
  if (typeof document === 'object' && document !== null && !Array.isArray(document))
    return document as Record<string, unknown>;
  throw new ClusterError('InvalidParameterException', 'read body: it must be a JSON object');
}

function parseJson(body: Uint8Array): unknown {
  const read = readJson(textOf(body), { maxBytes: MAX_BODY_BYTES, maxDepth: MAX_BODY_DEPTH });
  if ('value' in read) return read.value;
  throw new ClusterError('InvalidParameterException', `read body: ${read.problem}`);
}

function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new ClusterError('InvalidParameterException', 'read body: it is not UTF-8', { cause });
  }
}

/** Validates the request and calls the method of the service. */
function call(service: ClusterService, method: Method, members: unknown): Promise<unknown> {
  const request = parseRequest(method, members);
  const perform = service[method] as (request: unknown) => Promise<unknown>;
  return perform(request);
}

function clusterErrorOf(error: unknown): ClusterError | undefined {
  if (error instanceof ClusterError) return error;
  // The path is not valid percent-encoded UTF-8, the request line names another host, or a header is
  // repeated.
  if (isStorageError(error, 'InvalidURI', 'InvalidRequest'))
    return new ClusterError('InvalidRequestException', error.message, { cause: error });
  return undefined;
}
