/** Uses strace to count the system calls that a job needs to back up a new small file. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { holdfast, makeTree } from './mirrors.ts';
import { installed, makeHome, startServer } from './processes.ts';
import { limited } from './row.ts';
import type { Row } from './row.ts';

const [FEW, MANY] = [1_000, 5_000];
const FILE_BYTES = 4096;
/**
 * The system calls that read files and folders. Sockets and the state database use other calls, except for a few page
 * reads.
 */
const CALLS = 'statx,newfstatat,openat,openat2,readlink,getdents64,flistxattr,pread64,close';
const MAX_CALLS = 6.5;

export async function benchCalls(folder: string): Promise<Row[]> {
  if (!installed('strace')) return [];
  const sink = await startServer('sink-server.ts');
  const endpoint = `http://127.0.0.1:${sink.port}`;
  const callsFor = (files: number) => {
    const tree = join(folder, `traced-${files}`);
    makeTree(tree, { files, fileBytes: FILE_BYTES });
    const home = makeHome(join(folder, `home-traced-${files}`));
    const counts = join(folder, `calls-${files}`);
    const traced = ['strace', '-f', '-c', '-e', `trace=${CALLS}`, '-o', counts];
    holdfast(tree, home, { endpoint, bucket: `traced-${files}` }, traced);
    return totalOf(readFileSync(counts, 'utf8'));
  };
  try {
    const perFile = (callsFor(MANY) - callsFor(FEW)) / (MANY - FEW);
    return [limited('a new small file: system calls', 'calls', perFile, MAX_CALLS)];
  } finally {
    await sink.stop();
  }
}

/** Returns the total number of calls from the last line that `strace -c` prints. */
function totalOf(table: string): number {
  const [, calls] = /^\s*100\.00\s+\S+(?:\s+\d+)?\s+(\d+)(?:\s+\d+)?\s+total$/m.exec(table) ?? [];
  return Number(calls);
}
