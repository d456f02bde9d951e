/**
 * The requests that Node still reads from a connection after the gateway has closed it. One read can hold thousands of them, and to
 * create, end and collect the two objects of each takes more than 20 ms of CPU. So all of them share one request and one response.
 */

import type { ServerOptions } from 'node:http';
import { Socket } from 'node:net';

import { IncomingMessage, ServerResponse } from 'node:http';
import { JoinedRequest } from './joined-request.ts';

/** Takes nothing and ends nothing, and its socket is closed. */
class LateRequest extends IncomingMessage {
  /** Node would collect the headers of all of them otherwise. */
  override complete = true;

  override push(): boolean {
    return true;
  }

  override destroy(): this {
    return this;
  }
}

class LateResponse extends ServerResponse {
  override on(): this {
    return this;
  }

  override assignSocket(): void {}

  override destroy(): this {
    return this;
  }
}

const REQUEST = new LateRequest(new Socket().destroy());
const RESPONSE = new LateResponse(REQUEST);

/** Options of a server. Its listeners get a late request too: they ignore each request whose socket is closed. */
export const LATE_REQUESTS: ServerOptions = {
  IncomingMessage: new Proxy(IncomingMessage, {
    construct: (_, [socket]: [Socket]) => (socket.destroyed ? REQUEST : new JoinedRequest(socket)),
  }),
  ServerResponse: new Proxy(ServerResponse, {
    construct: (Response, given: ConstructorParameters<typeof ServerResponse>) =>
      given[0] === REQUEST ? RESPONSE : new Response(...given),
  }),
};
