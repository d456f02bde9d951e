/**
 * Runs on the hash thread. Hashes the blocks of several bodies in the order in which they arrive, and replies to each
 * block.
 */

import { parentPort } from 'node:worker_threads';

import { invariant } from '../../base/errors.ts';
import { BodyDigests } from '../checksums/body-digests.ts';
import { type HashMessage, type HashReply, memoryOf } from './hash-messages.ts';

function serve(): void {
  invariant(parentPort, 'start hashing: the module must run as a worker thread');
  const port = parentPort;
  const bodies = new Map<number, BodyDigests>();
  port.on('message', (message: HashMessage) => {
    if ('dropped' in message) {
      bodies.delete(message.dropped);
      return;
    }
    const { id, hashing, block } = message;
    const body = bodies.get(id) ?? new BodyDigests(hashing);
    body.update(block);
    if (block.isEnd) bodies.delete(id);
    else bodies.set(id, body);
    const reply: HashReply = { block, digests: block.isEnd ? body.finish() : undefined };
    port.postMessage(reply, memoryOf(block));
  });
}

serve();
