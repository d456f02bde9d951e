/** Measures the time from saving a file until its object is durable in the bucket, on an idle machine. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { openOwnStore } from './own-mirror.ts';
import { limited, percentile, type Row } from './row.ts';

export async function benchLatency(folder: string, saves: number): Promise<Row[]> {
  const root = join(folder, 'latency-tree');
  mkdirSync(root);
  const { store, open, close } = await openOwnStore(folder, 'latency');
  const { watched, durable } = watchPuts(store);
  const mirror = await open(root, watched);
  mirror.start();
  await mirror.settled();
  const tookMs: number[] = [];
  for (let index = 0; index < saves; index += 1) {
    const name = `file-${index % 10}.txt`;
    const stored = durable(name);
    const startedAt = performance.now();
    writeFileSync(join(root, name), `save ${index}`);
    await stored;
    tookMs.push(performance.now() - startedAt);
  }
  await mirror.close();
  await close();
  return [
    limited('save to durable, p50', 'ms', percentile(tookMs, 0.5), 40),
    limited('save to durable, p99', 'ms', percentile(tookMs, 0.99), 150),
  ];
}

/** Wraps a store so that `durable(key)` resolves when a put of the key has resolved. */
function watchPuts(store: ObjectStore) {
  const waiting = new Map<string, () => void>();
  const watched: ObjectStore = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name !== 'putObject') return typeof member === 'function' ? member.bind(target) : member;
      const putObject: ObjectStore['putObject'] = async (request, options) => {
        const result = await target.putObject(request, options);
        waiting.get(request.key)?.();
        return result;
      };
      return putObject;
    },
  });
  const durable = (key: string) => new Promise<void>((resolve) => waiting.set(key, resolve));
  return { watched, durable };
}
