/** The writer thread: takes everything that is waiting, commits it as one group, and answers. */

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';

import { systemClock } from '../base/clock.ts';
import { invariant } from '../base/errors.ts';
import { Checkpoints } from './checkpoints.ts';
import { type Envelope, STOP, type WriterOptions } from './commands.ts';
import { passPoint } from './faults.ts';
import { GroupCommit } from './group-commit.ts';
import { Reserve } from './reserve.ts';
import { connectWriter } from './schema.ts';

/** Bounds how long one transaction can get, and so how long its first command waits. */
const MAX_GROUP_COMMANDS = 512;

function serve(options: WriterOptions): void {
  invariant(parentPort, 'start writer: it runs as a worker thread only');
  const port = parentPort;
  const database = connectWriter(options.metadata);
  if (options.maxMetadataPages !== undefined) {
    database.pragma(`max_page_count = ${options.maxMetadataPages}`);
  }
  const pass = passPoint(options.crash);
  const reserve = new Reserve(options.reserve);
  const commits = new GroupCommit(database, { passPoint: pass, quotas: options.quotas, reserve });
  const checkpoints = new Checkpoints({ database, clock: systemClock, passPoint: pass, reserve });
  port.on('message', (first: readonly Envelope[] | typeof STOP) => {
    const waiting: Envelope[] = [];
    let stopping = false;
    for (let message: unknown = first; message !== undefined; message = next()) {
      if (message === STOP) stopping = true;
      else waiting.push(...(message as readonly Envelope[]));
    }
    for (let start = 0; start < waiting.length; start += MAX_GROUP_COMMANDS) {
      const group = waiting.slice(start, start + MAX_GROUP_COMMANDS);
      port.postMessage(commits.run(group));
      checkpoints.after(group);
    }
    if (!stopping) return;
    checkpoints.finish();
    database.close();
    port.close();
  });
  const next = (): unknown => receiveMessageOnPort(port)?.message as unknown;
}

serve(workerData as WriterOptions);
