/**
 * Measures the time from saving a file until its object is durable in the bucket: on an idle machine,
 * and while the folder is mirrored for the first time.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { makeTree } from './mirrors.ts';
import { openOwnStore } from './own-mirror.ts';
import { limited, percentile, type Row } from './row.ts';

const FIRST_FILES = 20_000;

export async function benchLatency(folder: string, saves: number): Promise<Row[]> {
  const root = join(folder, 'latency-tree');
  makeTree(join(root, 'first'), { files: FIRST_FILES, fileBytes: 4096 });
  const { store, open, close } = await openOwnStore(folder, 'latency');
  const { watched, durable } = watchPuts(store);
  const save = async (index: number) => {
    const name = `file-${index % 10}.txt`;
    const stored = durable(name);
    const startedAt = performance.now();
    writeFileSync(join(root, name), `save ${index}`);
    await stored;
    return performance.now() - startedAt;
  };
  const mirror = await open(root, watched);
  mirror.start();
  const first = { isOver: false };
  const ended = mirror.settled().then(() => (first.isOver = true));
  const firstMs: number[] = [];
  while (!first.isOver) firstMs.push(await save(firstMs.length));
  await ended;
  await mirror.settled();
  const idleMs: number[] = [];
  while (idleMs.length < saves) idleMs.push(await save(firstMs.length + idleMs.length));
  await mirror.close();
  await close();
  return [
    limited('save to durable, p50', 'ms', percentile(idleMs, 0.5), 40),
    limited('save to durable, p99', 'ms', percentile(idleMs, 0.99), 100),
    limited('save to durable during a first mirror, p99', 'ms', percentile(firstMs, 0.99), 1_000),
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
