/**
 * Measures PUTs of small objects into an embedded store in the same process. Compares bulk writes with individual PUTs.
 */

import { randomBytes } from 'node:crypto';

import { bytesBody } from '../../src/object-store/body.ts';
import type { ObjectToPut } from '../../src/object-store/bulk-write.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { openOwnStore } from './own-mirror.ts';
import { limited, median, row } from './row.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const OBJECT_BYTES = 4096;
/** The number of objects that are written concurrently. */
const AT_ONCE = 512;
const MAX_CPU_MICROSECONDS = 50;
const BUCKET = 'bulk';

type Way = 'alone' | 'bulk';

interface Figures {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

/**
 * Measures `count` new objects of 4 KiB per round. Each has metadata and a condition, like the PUTs that a job sends.
 */
export async function benchBulk(folder: string, count: number): Promise<Row[]> {
  const { store, close } = await openOwnStore(folder, BUCKET);
  const rounds: Record<Way, Figures[]> = { alone: [], bulk: [] };
  try {
    for (const way of ['alone', 'bulk'] as const)
      await measure(store, way, newObjects(`warm-${way}`, count));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const way of ['alone', 'bulk'] as const)
        rounds[way].push(await measure(store, way, newObjects(`${way}-${round}`, count)));
    }
  } finally {
    await close();
  }
  const of = (way: Way, what: keyof Figures) => median(rounds[way].map((each) => each[what]));
  const against = (name: string, unit: string, what: keyof Figures) =>
    row(name, unit, {
      figure: of('bulk', what),
      yardstick: 'alone',
      yardstickFigure: of('alone', what),
    });
  const name = '4 KiB in bulk writes';
  const cpu = of('bulk', 'cpuMicroseconds');
  return [
    against(name, '/s', 'perSecond'),
    against(`${name}, CPU of an object`, 'µs', 'cpuMicroseconds'),
    limited(`${name}, CPU of an object`, 'µs', cpu, MAX_CPU_MICROSECONDS),
  ];
}

function newObjects(prefix: string, count: number): readonly ObjectToPut[] {
  const content = randomBytes(OBJECT_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const bytes = new Uint8Array(content);
    new DataView(bytes.buffer).setUint32(0, index);
    return {
      key: `${prefix}/folder-${Math.floor(index / 100)}/file-${index}.txt`,
      bytes,
      conditions: { ifNoneMatch: '*' },
      attributes: {
        contentType: 'text/plain',
        metadata: { mtime: '2026-01-01T00:00:00.123456789Z', mode: '0644', sha256: 'a'.repeat(64) },
      },
    };
  });
}

async function measure(
  store: ObjectStore,
  way: Way,
  objects: readonly ObjectToPut[],
): Promise<Figures> {
  const [cpuBefore, begunAt] = [process.cpuUsage(), performance.now()];
  for (let at = 0; at < objects.length; at += AT_ONCE) {
    const some = objects.slice(at, at + AT_ONCE);
    if (way === 'alone') await putAlone(store, some);
    else await putInBulk(store, some);
  }
  const elapsedMs = performance.now() - begunAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    perSecond: (1000 * objects.length) / elapsedMs,
    cpuMicroseconds: (user + system) / objects.length,
  };
}

async function putAlone(store: ObjectStore, objects: readonly ObjectToPut[]): Promise<void> {
  await Promise.all(
    objects.map(({ bytes, ...object }) =>
      store.putObject({ ...object, bucket: BUCKET, body: bytesBody(bytes) }),
    ),
  );
}

async function putInBulk(store: ObjectStore, objects: readonly ObjectToPut[]): Promise<void> {
  const outcomes = (await store.bulkWriter?.putObjects({ bucket: BUCKET, objects })) ?? [];
  const refusal = outcomes.find((outcome) => isStorageError(outcome));
  if (refusal) throw refusal;
}
