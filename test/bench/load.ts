/** Load: many calls at a time, and how long each took. */

import { percentile } from './row.ts';

export interface LoadResult {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Runs `call(0)` … `call(count - 1)`, `inFlight` at a time. */
export async function load(
  count: number,
  inFlight: number,
  call: (index: number) => Promise<unknown>,
): Promise<LoadResult> {
  const tookMs: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const callAt = performance.now();
      await call(index);
      tookMs.push(performance.now() - callAt);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: count / seconds, p99Ms: percentile(tookMs, 0.99) };
}

/** Seconds that `run` takes. */
export async function seconds(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return (performance.now() - startedAt) / 1000;
}

/** Drains a stream and counts its bytes. */
export async function drain(stream: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.byteLength;
  return bytes;
}
