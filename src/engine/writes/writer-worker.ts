/** Runs on the writer thread. Receives commands, commits them in groups, and replies to each group. */

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';

import { systemClock } from '../../base/clock.ts';
import { invariant } from '../../base/errors.ts';
import { Checkpoints } from './checkpoints.ts';
import { CommandQueue } from './command-queue.ts';
import { type Envelope } from './commands/commands.ts';
import { STOP, type WriterOptions } from './writer-messages.ts';
import { passPoint } from '../disk/faults.ts';
import { GroupCommit } from './group-commit.ts';
import { Reserve } from './reserve.ts';
import { connectWriter } from '../schema/schema.ts';

function serve(options: WriterOptions): void {
  invariant(parentPort, 'start writer: the module must run as a worker thread');
  const port = parentPort;
  const database = connectWriter(options.metadata);
  if (options.maxMetadataPages !== undefined) {
    database.pragma(`max_page_count = ${options.maxMetadataPages}`);
  }
  const pass = passPoint(options.crash);
  const reserve = new Reserve(options.reserve);
  const { quotas, lifecycleDayMs } = options;
  const commits = new GroupCommit(database, { passPoint: pass, quotas, lifecycleDayMs, reserve });
  const checkpoints = new Checkpoints({ database, clock: systemClock, passPoint: pass, reserve });
  const next = (): unknown => receiveMessageOnPort(port)?.message as unknown;
  const queue = new CommandQueue();
  let stopping = false;
  /** Queues the commands of the first message, and of all messages that have arrived since. */
  const receive = (first: unknown) => {
    for (let message = first; message !== undefined; message = next()) {
      if (message === STOP) stopping = true;
      else queue.add(message as readonly Envelope[]);
    }
  };
  port.on('message', (first: readonly Envelope[] | typeof STOP) => {
    receive(first);
    for (let group = queue.nextGroup(); group.length > 0; group = queue.nextGroup()) {
      const reply = commits.run(group);
      port.postMessage(reply);
      checkpoints.after(queue.complete(group, reply.replies.length));
      receive(next());
    }
    if (!stopping) return;
    checkpoints.finish();
    database.close();
    port.close();
  });
}

serve(workerData as WriterOptions);
