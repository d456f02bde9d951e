/** Starts a server for a load test, and opens the client that generates the load. */

import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import type { SignedClient, SignedClientOptions } from '../../src/client/signed-client.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { BENCH_KEY } from './credentials.ts';
import { BUCKET } from './names.ts';
import type { PeerName } from './peers.ts';
import { startServer } from './processes.ts';
import type { Server } from './processes.ts';

export interface Peer {
  readonly endpoint: string;
  readonly server: Server;
  readonly client: SignedClient;
  close(): Promise<void>;
}

export type ServerName = PeerName | 'holdfast' | 'null' | 'reference';

/** The only access key that s3rver accepts. */
const S3RVER_KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** Starts a server with a separate data folder in `folder`, and creates its bucket. */
export async function openPeer(name: ServerName, folder: string): Promise<Peer> {
  const server = await start(name, join(folder, name));
  const endpoint = `http://127.0.0.1:${server.port}`;
  const client = openClient(endpoint, name === 's3rver' ? S3RVER_KEY : BENCH_KEY);
  if (!isYardstick(name)) await client.createBucket({ bucket: BUCKET });
  const close = async () => {
    await client.close();
    await server.stop();
  };
  return { endpoint, server, client, close };
}

export function openClient(
  endpoint: string,
  credentials: SignedClientOptions['credentials'],
): SignedClient {
  return openSignedClient({
    endpoint,
    region: 'us-east-1',
    dialect: amzDialect,
    credentials,
    clock: systemClock,
    logger: silentLogger,
  });
}

function start(name: ServerName, folder: string): Promise<Server> {
  if (name === 'holdfast') return startServer('holdfast-server.ts', folder);
  if (isYardstick(name)) return startServer('yardstick-server.ts', name, folder);
  return startServer('peer-server.ts', name, folder);
}

function isYardstick(name: ServerName): boolean {
  return name === 'null' || name === 'reference';
}

/** Runs `use` with a server, and closes the server afterwards. */
export async function withPeer<T>(
  name: ServerName,
  folder: string,
  use: (peer: Peer) => Promise<T>,
): Promise<T> {
  const peer = await openPeer(name, folder);
  try {
    return await use(peer);
  } finally {
    await peer.close();
  }
}
