/**
 * Measures how long it takes from saving a file until its object is durable in the bucket. Measures on an idle machine
 * and during the first backup of a folder.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ForwardingStore, type MirrorStore } from '../../src/object-store/mirror-store.ts';
import { makeTree } from './mirrors.ts';
import { openOwnStore } from './own-mirror.ts';
import { limited, percentile, type Row } from './row.ts';

const FIRST_FILES = 20_000;

export async function benchLatency(folder: string, saves: number): Promise<Row[]> {
  const root = join(folder, 'latency-tree');
  makeTree(join(root, 'first'), { files: FIRST_FILES, fileBytes: 4096 });
  const { store, open, close } = await openOwnStore(folder, 'latency');
  const watched = new WatchedPuts(store);
  const save = async (index: number) => {
    const name = `file-${index % 10}.txt`;
    const stored = watched.durable(name);
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

/** A store whose `durable(key)` resolves when a PUT of the key has completed. */
class WatchedPuts extends ForwardingStore {
  readonly #waiting = new Map<string, () => void>();

  durable(key: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(key, resolve));
  }

  override async putObject(...call: Parameters<MirrorStore['putObject']>) {
    const result = await super.putObject(...call);
    this.#waiting.get(call[0].key)?.();
    return result;
  }

  protected override async putInBulk(...call: Parameters<ForwardingStore['putInBulk']>) {
    const outcomes = await super.putInBulk(...call);
    for (const { key } of call[1].objects) this.#waiting.get(key)?.();
    return outcomes;
  }
}
