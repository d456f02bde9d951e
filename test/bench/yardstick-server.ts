/**
 * Runs an HTTP server as a reference for comparisons. In mode `null`, it reads a request and responds. In mode
 * `reference`, it does the minimum of a durable store: it writes one file per PUT, and syncs the file and its folder.
 */

import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { answerBench } from './answering.ts';

const kind = process.argv[2];
const folder = process.argv[3] ?? '';
const KILOBYTE = Buffer.alloc(1024, 'x');
let temporary = 0;

async function nullServer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request);
  response.setHeader('etag', '"d41d8cd98f00b204e9800998ecf8427e"');
  response.setHeader('last-modified', 'Sat, 21 Nov 2026 12:00:00 GMT');
  if (request.method === 'GET') response.end(KILOBYTE);
  else response.end();
}

async function reference(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = join(folder, encodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname));
  response.setHeader('last-modified', 'Sat, 21 Nov 2026 12:00:00 GMT');
  if (request.method === 'GET') {
    response.setHeader('etag', '"d41d8cd98f00b204e9800998ecf8427e"');
    response.end(await readFile(file));
    return;
  }
  const hash = createHash('md5');
  const partial = `${file}.${(temporary += 1)}`;
  const handle = await open(partial, 'w', 0o600);
  for await (const chunk of request) {
    hash.update(chunk as Buffer);
    await handle.write(chunk as Buffer);
  }
  await handle.sync();
  await handle.close();
  await rename(partial, file);
  const directory = await open(folder, 'r');
  await directory.sync();
  await directory.close();
  response.setHeader('etag', `"${hash.digest('hex')}"`);
  response.end();
}

if (kind === 'reference') mkdirSync(folder, { recursive: true });
const answer = kind === 'reference' ? reference : nullServer;
const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => answerBench([(server.address() as AddressInfo).port]));
