/**
 * Serves pipelined requests, which a client sends on one connection without waiting for the
 * responses.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as inNextTurn } from 'node:timers';
import { setImmediate } from 'node:timers/promises';

import { isChunked } from './joined-request.ts';
import { MAX_PIPELINED } from './listener-limits.ts';

/**
 * Serves one request. Resolves when the response has been handed over to the connection, and never
 * rejects.
 */
export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  expecting: boolean,
) => Promise<void>;

interface Line {
  requests: number;
  end: Promise<void>;
}

/**
 * Returns a function that serves the requests of each connection one after another, as RFC 9112
 * §9.3.2 requires. Between two requests, the event loop serves other connections, because one read
 * can contain thousands of requests. A connection with more than MAX_PIPELINED requests without a
 * response is closed.
 */
export function inOrder(serve: Serve): Serve {
  const lines = new WeakMap<Socket, Line>();
  const isFirstInTurn = turnTaker();
  return (request, response, expecting) => {
    const { socket } = request;
    const work = async () => {
      // Let Node parse the chunks that arrived together with the headers before the request is served. After a
      // response, Node would parse more chunks in one turn.
      if (isChunked(request)) await setImmediate();
      if (!socket.destroyed) await serve(request, response, expecting);
      line.requests -= 1;
      if (line.requests === 0) lines.delete(socket);
    };
    const line = lines.get(socket) ?? { requests: 0, end: Promise.resolve() };
    if (line.requests === MAX_PIPELINED) {
      if (!socket.destroyed) destroyWithoutStacks(socket);
      return line.end;
    }
    line.requests += 1;
    lines.set(socket, line);
    const isFirst = line.requests === 1 && isFirstInTurn(socket);
    line.end = isFirst ? work() : line.end.then(() => setImmediate()).then(work);
    return line.end;
  };
}

/**
 * Returns a function that returns true only once for each connection and turn of the event loop.
 *
 * This is needed because a response can be complete before Node parses the next request of the same read. After a
 * request with more than 32 headers, Node runs the microtasks before it parses the next request.
 */
function turnTaker(): (socket: Socket) => boolean {
  const taken = new Set<Socket>();
  return (socket) => {
    if (taken.has(socket)) return false;
    if (taken.size === 0) inNextTurn(() => taken.clear());
    taken.add(socket);
    return true;
  };
}

/**
 * Destroys the socket without recording stack traces. Node ends each request that has no response on a closed
 * connection with a separate error, and one read can contain thousands of requests. Recording the stack traces of these
 * errors would take most of the time, and no code uses them.
 */
function destroyWithoutStacks(socket: Socket): void {
  let { stackTraceLimit } = Error;
  socket.prependOnceListener('close', () => {
    ({ stackTraceLimit } = Error);
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => (Error.stackTraceLimit = stackTraceLimit));
  socket.destroy();
}
