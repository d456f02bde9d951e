/** Generates load. Runs many calls concurrently, and measures the duration of each call. */

import { percentile } from './row.ts';

export interface LoadResult {
  readonly perSecond: number;
  readonly p99Ms: number;
}

type Call = (index: number) => Promise<unknown>;

/** Runs the calls `call(0)` to `call(count - 1)`, at most `inFlight` at a time. */
export function load(count: number, inFlight: number, call: Call): Promise<LoadResult> {
  return loadWhile((index) => index < count, inFlight, call);
}

/** Runs `call(0)`, `call(1)` and so on for `duration` seconds, at most `inFlight` at a time. */
export function loadFor(duration: number, inFlight: number, call: Call): Promise<LoadResult> {
  const until = performance.now() + duration * 1000;
  return loadWhile(() => performance.now() < until, inFlight, call);
}

async function loadWhile(
  continuing: (index: number) => boolean,
  inFlight: number,
  call: Call,
): Promise<LoadResult> {
  const tookMs: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const worker = async () => {
    while (continuing(next)) {
      const index = next;
      next += 1;
      const callAt = performance.now();
      await call(index);
      tookMs.push(performance.now() - callAt);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: tookMs.length / seconds, p99Ms: percentile(tookMs, 0.99) };
}

/** Returns how long `run` takes, in seconds. */
export async function seconds(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return (performance.now() - startedAt) / 1000;
}

/** Reads a stream to its end, and returns the number of bytes. */
export async function drain(stream: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.byteLength;
  return bytes;
}
