/** Runs an embeddable S3 server other than Holdfast (fauxqs or s3rver) in a separate process, with its data on disk. */

import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { answerBench } from './answering.ts';
import { entryOf } from './peers.ts';

type StartFauxqs = (options: object) => Promise<{ readonly port: number }>;
type S3rver = new (options: object) => { run(): Promise<AddressInfo> };

const [name, folder = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

async function fauxqs(): Promise<number> {
  const { startFauxqs } = (await import(entryOf('fauxqs'))) as { startFauxqs: StartFauxqs };
  const { port } = await startFauxqs({
    port: 0,
    host: '127.0.0.1',
    logger: false,
    dataDir: folder,
  });
  return port;
}

async function s3rver(): Promise<number> {
  const { default: Server } = (await import(entryOf('s3rver'))) as { default: S3rver };
  const port = await freePort();
  const options = {
    address: '127.0.0.1',
    port,
    silent: true,
    directory: folder,
    vhostBuckets: false,
  };
  await new Server(options).run();
  return port;
}

/** Returns a free port, because s3rver cannot select a free port itself. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

answerBench([name === 'fauxqs' ? await fauxqs() : await s3rver()]);
