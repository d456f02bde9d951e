/** Starts a service with scripted responses and connects clients whose waits take no time. */

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { onTestFinished } from 'vitest';

import type { Clock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { openSignedClient, type SignedClientOptions } from '../../../src/client/signed-client.ts';
import { svcDialect } from '../../../src/protocol/dialect.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

export const CREDENTIALS = {
  accessKeyId: 'holdfast:ada@local',
  secretAccessKey: 'never-to-be-seen-anywhere-0123456789abcd',
};

/** A clock whose sleeps end at once. It records their durations in milliseconds. */
export class HurriedClock extends FakeClock {
  readonly slept: number[] = [];

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
  }
}

export interface Scripted {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  readonly sockets: ReadonlySet<Socket>;
}

/** Starts a service that gives each request the next scripted response and repeats the last one. */
export async function serve(...answers: readonly RequestListener[]): Promise<Scripted> {
  const requests: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    requests.push(request);
    answers[Math.min(requests.length, answers.length) - 1]?.(request, response);
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, sockets };
}

export function connect(endpoint: string, options: Partial<SignedClientOptions> = {}) {
  const clock: Clock = options.clock ?? new HurriedClock();
  const client = openSignedClient({
    endpoint,
    region: 'us-east-1',
    dialect: svcDialect(),
    credentials: CREDENTIALS,
    logger: silentLogger,
    ...options,
    clock,
  });
  onTestFinished(() => client.close());
  return client;
}

export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): RequestListener =>
  (request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(status, headers);
      response.end(body);
    });
  };

export const errorAnswer = (status: number, code: string, more = ''): RequestListener =>
  answer(
    status,
    { 'content-type': 'application/xml' },
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>scripted</Message>${more}</Error>`,
  );

/** Reads the whole request and closes the connection without a response. */
export const hangUp: RequestListener = (request) => {
  request.resume();
  request.on('end', () => request.socket.destroy());
};

export const objectAnswer = answer(
  200,
  {
    etag: '"0cc175b9c0f1b6a831c399e269772661"',
    'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
    'content-length': '1',
  },
  'a',
);
export const putAnswer = answer(200, { etag: '"0cc175b9c0f1b6a831c399e269772661"' });

export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

export async function failure(result: Promise<unknown>): Promise<Error> {
  return result.then(
    () => {
      throw new Error('expected a failure');
    },
    (error: unknown) => error as Error,
  );
}
