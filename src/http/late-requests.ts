/**
 * Handles the requests that Node still parses from a connection after the gateway has closed it.
 * One read can contain thousands of such requests. Creating and garbage-collecting a request and a
 * response object for each of them would take more than 20 ms of CPU time, so they all share one
 * request and one response.
 */

import type { ServerOptions } from 'node:http';
import { Socket } from 'node:net';

import { IncomingMessage, ServerResponse } from 'node:http';
import { JoinedRequest } from './joined-request.ts';

/** A request whose socket is already closed. Ignores its body, and ignores `destroy`. */
class LateRequest extends IncomingMessage {
  /** If `complete` were false, Node would add the headers of all these requests to one object. */
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

/**
 * Server options. The server emits late requests like all other requests, so its listeners must ignore requests whose
 * socket is closed.
 */
export const LATE_REQUESTS: ServerOptions = {
  IncomingMessage: new Proxy(IncomingMessage, {
    construct: (_, [socket]: [Socket]) => (socket.destroyed ? REQUEST : new JoinedRequest(socket)),
  }),
  ServerResponse: new Proxy(ServerResponse, {
    construct: (Response, given: ConstructorParameters<typeof ServerResponse>) =>
      given[0] === REQUEST ? RESPONSE : new Response(...given),
  }),
};
