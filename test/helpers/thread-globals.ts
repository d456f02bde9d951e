/** Replaces `node:worker_threads` in scripts that run on a thread of reused-threads.ts. */

import * as real from 'node:worker_threads';

export const { receiveMessageOnPort } = real;
export let { parentPort, workerData } = real;

interface Script {
  readonly port: NonNullable<typeof real.parentPort>;
  readonly workerData: unknown;
}

/** Sets the globals of the script that is imported next. */
export function setScript(script: Script): void {
  parentPort = script.port;
  workerData = script.workerData;
}
