/**
 * Creates an exchange for each request to a gateway, and records the current exchange of each
 * connection.
 */

import type { Socket } from 'node:net';

import { dateHeader, requestIds } from '../http/respond.ts';
import type { ListenerOptions } from '../http/listener.ts';
import type { WireHeaders } from '../protocol/wire.ts';
import { authenticator, formAuthenticator } from './authenticate.ts';
import { Exchange, type ExchangeContext, type ExchangeOptions } from './exchange.ts';
import { commonHeaders } from '../http/respond.ts';

export class Exchanges implements Pick<
  ListenerOptions,
  'commonHeaders' | 'cutOff' | 'isAnswering' | 'serve'
> {
  readonly #context: ExchangeContext;
  /** The current or last exchange of each connection. */
  readonly #carried = new WeakMap<Socket, Exchange>();

  constructor(options: ExchangeOptions) {
    this.#context = {
      options,
      date: dateHeader(options.clock),
      nextId: requestIds(),
      authenticate: authenticator(options),
      authenticateForm: formAuthenticator(options),
    };
  }

  /**
   * Serves one request. Resolves when the response has been handed over to the connection, and
   * never rejects.
   */
  readonly serve: ListenerOptions['serve'] = (request, response, expecting) => {
    const exchange = new Exchange(this.#context, { request, response, expecting });
    this.#carried.set(request.socket, exchange);
    return exchange.run();
  };

  readonly isAnswering = (socket: Socket): boolean =>
    this.#carried.get(socket)?.isAnswering ?? false;

  readonly cutOff = (socket: Socket): boolean => this.#carried.get(socket)?.cutOff() ?? false;

  /** Returns the common headers of a response to a request whose dialect is unknown. */
  readonly commonHeaders = (): WireHeaders => {
    const { options, date, nextId } = this.#context;
    return commonHeaders(options.dialects.svc, nextId(), date());
  };
}
