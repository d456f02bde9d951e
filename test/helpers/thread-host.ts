/** Program of the threads of reused-threads.ts. Runs one script after another, as if each had its own thread. */

import { parentPort } from 'node:worker_threads';

import type { HostedScript } from './reused-threads.ts';
import { setScript } from './thread-globals.ts';

let scripts = 0;

parentPort?.on('message', ({ url, workerData, port }: HostedScript) => {
  port.once('close', () => parentPort?.postMessage('returned', []));
  setScript({ port, workerData });
  // A script runs when it is imported. With another query, it is imported again.
  import(`${url}?${(scripts += 1)}`).catch((error: unknown) => {
    // The error must end the thread, as an error of a script with its own thread does.
    setImmediate(() => {
      throw error;
    });
  });
});
