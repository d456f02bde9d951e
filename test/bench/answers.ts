/** Measures how fast a daemon responds to `status` during the first backup of a folder to the embedded store. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { startDaemonProcess } from '../helpers/daemon-process.ts';
import { makeTree } from './mirrors.ts';
import { limited, percentile } from './row.ts';
import type { Row } from './row.ts';

const FILE_BYTES = 100;
const PAUSE_MS = 20;
const MAX_ANSWER_MS = 50;
const MAX_RSS_MIB = 250;

export async function benchAnswers(folder: string, files: number): Promise<Row[]> {
  const tree = join(folder, 'answers-tree');
  makeTree(tree, { files, fileBytes: FILE_BYTES });
  const daemon = await startDaemonProcess(join(folder, 'answers-home'));
  try {
    await daemon.client.call('jobs.add', { folder: tree, bucket: 'answers' });
    const answersMs: number[] = [];
    for (let isOver = false; !isOver;) {
      const askedAt = performance.now();
      const { jobs } = await daemon.client.call('status', {});
      answersMs.push(performance.now() - askedAt);
      isOver = jobs.every(({ state }) => state === 'watching');
      await systemClock.sleep(PAUSE_MS);
    }
    const name = `first mirror of ${files} files`;
    return [
      limited(`${name}: answers to status, p50`, 'ms', percentile(answersMs, 0.5), MAX_ANSWER_MS),
      limited(`${name}: answers to status, p99`, 'ms', percentile(answersMs, 0.99), MAX_ANSWER_MS),
      limited(`${name}: peak RSS`, 'MiB', peakRssMib(daemon.process.pid ?? 0), MAX_RSS_MIB),
    ];
  } finally {
    await daemon.stop();
  }
}

/** Returns the highest resident set size that a process has reached so far. Linux reports it. */
function peakRssMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
