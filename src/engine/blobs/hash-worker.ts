/** The hash thread: hashes the blocks of several bodies in the order in which they come, and answers each. */

import { parentPort } from 'node:worker_threads';

import { invariant } from '../../base/errors.ts';
import { BodyDigests } from '../checksums/body-digests.ts';
import type { HashMessage, HashReply } from './hash-thread.ts';

function serve(): void {
  invariant(parentPort, 'start hashing: it runs as a worker thread only');
  const port = parentPort;
  const bodies = new Map<number, BodyDigests>();
  port.on('message', (message: HashMessage) => {
    if ('dropped' in message) {
      bodies.delete(message.dropped);
      return;
    }
    const { id, hashing, body, stored, isEnd } = message;
    const digests = bodies.get(id) ?? new BodyDigests(hashing);
    digests.update(body, stored);
    if (isEnd) bodies.delete(id);
    else bodies.set(id, digests);
    const reply: HashReply = isEnd ? digests.finish() : undefined;
    port.postMessage(reply);
  });
}

serve();
