/**
 * Tests that only one job at a time owns a destination, even if several jobs start at the same
 * time.
 */

import { setImmediate } from 'node:timers/promises';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type OwnershipMarker, readMarker } from '../../../src/mirror/objects/ownership-marker.ts';
import {
  checkDestination,
  holdDestination,
  releaseDestination,
  takeOverDestination,
} from '../../../src/mirror/ownership/hold-marker.ts';
import type { Destination } from '../../../src/mirror/objects/destination.ts';
import { collect } from '../../../src/object-store/body.ts';
import type { ObjectInfo, ObjectStore } from '../../../src/object-store/object-store.ts';
import { StorageError } from '../../../src/object-store/storage-error.ts';
import { answeringStore, AS_RADOSGW, HONOURS_NONE } from '../../helpers/answering-store.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { overriding } from '../../helpers/forgetful-store.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

const { signal } = new AbortController();
const of = (host: string): OwnershipMarker => ({ job: 'job', host, root: '/folder' });

/**
 * Creates an in-memory store that checks If-None-Match only if `honours` is true. Each call takes
 * effect when `turn` resolves.
 */
function memoryStore(honours: boolean, turn: () => Promise<unknown>): ObjectStore {
  const objects = new Map<string, { readonly bytes: Uint8Array; readonly info: ObjectInfo }>();
  let writes = 0;
  return overriding({} as ObjectStore, {
    async getObject({ key }) {
      await turn();
      const found = objects.get(key);
      if (!found) throw new StorageError('NoSuchKey', key);
      return {
        info: found.info,
        body: (async function* () {
          yield found.bytes;
        })(),
      };
    },
    async putObject({ key, body, conditions }) {
      const bytes = await collect(body.open(), 1_000);
      await turn();
      if (honours && conditions?.ifNoneMatch && objects.has(key))
        throw new StorageError('PreconditionFailed', key);
      const etag = String(++writes);
      objects.set(key, { bytes, info: { etag, sizeBytes: bytes.byteLength, lastModifiedAt: 0 } });
      return { etag };
    },
  });
}

describe('jobs that try to own one destination at the same time', () => {
  test.each([
    ['a service that honours conditional writes', true],
    ['a service that ignores conditional writes', false],
  ])(
    'Holdfast makes exactly one of several concurrent jobs the owner of a destination on %s',
    async (_service, honours) => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (order, count) => {
          const clock = new FakeClock();
          const store = memoryStore(honours, () => order.schedule(Promise.resolve()));
          const destination = { store, bucket: 'bucket', prefix: '' };
          const options = { clock, acceptsOneWrite: () => honours, signal };
          const hosts = Array.from({ length: count }, (_, index) => `host ${index}`);
          const claims = hosts.map((host) => holdDestination(destination, of(host), options));
          const settled = Promise.allSettled(claims);
          // All pending requests complete before the one-second wait of each job ends.
          await order.waitIdle();
          clock.advance(1_000);
          await order.waitIdle();
          const outcomes = await settled;
          const winners = hosts.filter((_, index) => outcomes[index]?.status === 'fulfilled');
          expect(winners).toHaveLength(1);
          const found = readMarker(destination, signal);
          await order.waitIdle();
          expect((await found)?.marker.host).toBe(winners[0]);
        }),
        { numRuns: 100 },
      );
    },
  );
});

describe.each([
  ['honours conditional writes', undefined],
  ['ignores conditional writes', HONOURS_NONE],
  ['rejects every put with If-Match', AS_RADOSGW],
] as const)('the ownership marker on a service that %s', (_what, declared) => {
  async function openDestination(): Promise<{
    readonly destination: Destination;
    hold: (host: string) => Promise<void>;
  }> {
    const { store: inner } = await openTestEngine();
    const store = declared ? answeringStore(inner, declared) : inner;
    await store.createBucket({ bucket: 'bucket', objectLockEnabled: true });
    const destination = { store, bucket: 'bucket', prefix: 'a/b/' };
    const clock = new FakeClock();
    const hold = async (host: string) => {
      const held = holdDestination(destination, of(host), {
        clock,
        acceptsOneWrite: () => !declared,
        signal,
      });
      const over = held.then(
        () => true,
        () => true,
      );
      while (!(await Promise.race([over, setImmediate(false)]))) clock.advance(1_000);
      await held;
    };
    return { destination, hold };
  }

  test('Holdfast refuses a second job in a destination until the job takes the destination over or the owner releases it', async () => {
    const { destination, hold } = await openDestination();
    await hold('attic');
    await hold('attic');
    await expect(hold('cellar')).rejects.toMatchObject({
      code: 'Claimed',
      message: expect.stringMatching(
        /a\/b\/: .* of another installation, last started \S+Z; .*`holdfast job take-over job`$/,
      ),
    });
    expect(await takeOverDestination(destination, of('cellar'), signal)).toEqual(of('attic'));
    expect(await takeOverDestination(destination, of('cellar'), signal)).toBeUndefined();
    await expect(checkDestination(destination, of('attic'), signal)).rejects.toMatchObject({
      code: 'Claimed',
    });
    await releaseDestination(destination, of('attic'), signal);
    await checkDestination(destination, of('cellar'), signal);
    await releaseDestination(destination, of('cellar'), signal);
    expect((await readMarker(destination, signal))?.marker).toEqual({
      ...of('cellar'),
      released: true,
    });
    await hold('attic');
    expect((await readMarker(destination, signal))?.marker).toEqual(of('attic'));
  });

  test('after a job released a destination, Holdfast refuses a job with a different encryption key for that destination', async () => {
    const { destination, hold } = await openDestination();
    await hold('attic');
    const keyed = { ...of('attic'), keyCheck: 'one' };
    // The job was configured with an encryption key but has not written any object with the key.
    await releaseDestination(destination, keyed, signal);
    expect((await readMarker(destination, signal))?.marker).toEqual({
      ...of('attic'),
      released: true,
    });
    const options = { clock: new FakeClock(), acceptsOneWrite: () => true, signal };
    await holdDestination(destination, keyed, options);
    expect((await readMarker(destination, signal))?.marker).toEqual(keyed);
    await checkDestination(destination, keyed, signal);
    for (const claim of [of('attic'), { ...keyed, keyCheck: 'two' }]) {
      const refusal = { code: 'OtherKey' };
      await expect(checkDestination(destination, claim, signal)).rejects.toMatchObject(refusal);
      await expect(holdDestination(destination, claim, options)).rejects.toMatchObject(refusal);
      await expect(takeOverDestination(destination, claim, signal)).rejects.toMatchObject(refusal);
    }
    // Releasing a destination does not need the encryption key.
    await releaseDestination(destination, of('attic'), signal);
    expect((await readMarker(destination, signal))?.marker).toEqual({ ...keyed, released: true });
    await expect(holdDestination(destination, of('cellar'), options)).rejects.toMatchObject({
      code: 'OtherKey',
    });
    await holdDestination(destination, { ...of('cellar'), keyCheck: 'one' }, options);
  });

  test('after a machine was cloned, only the machine or clone that starts next owns the destination, until the other takes it over', async () => {
    const { destination } = await openDestination();
    const options = { clock: new FakeClock(), acceptsOneWrite: () => true, signal };
    const by = (holder: string, ...holders: string[]) => ({ ...of('attic'), holder, holders });
    await holdDestination(destination, by('first', 'first'), options);
    // The machine and its clone both know the first start and continue from it.
    await holdDestination(destination, by('copy', 'first', 'copy'), options);
    const refusal = { code: 'Claimed', message: expect.stringMatching(/a copy of the other/) };
    await expect(checkDestination(destination, by('first', 'first'), signal)).rejects.toMatchObject(
      refusal,
    );
    const again = by('again', 'first', 'again');
    await expect(holdDestination(destination, again, options)).rejects.toMatchObject(refusal);
    expect(await takeOverDestination(destination, again, signal)).toMatchObject({ holder: 'copy' });
    await checkDestination(destination, again, signal);
    await expect(checkDestination(destination, by('copy', 'copy'), signal)).rejects.toMatchObject(
      refusal,
    );
    // A job that lost its state knows no earlier start.
    await holdDestination(destination, { ...of('attic'), holder: 'anew' }, options);
  });

  test('Holdfast refuses a destination whose prefix is inside the destination of another job', async () => {
    const { destination, hold } = await openDestination();
    const above = { ...destination, prefix: '' };
    await takeOverDestination(above, of('attic'), signal);
    await expect(hold('cellar')).rejects.toThrow(
      /cannot back up to bucket\/: .* of another installation/,
    );
    await releaseDestination(above, of('attic'), signal);
    await hold('cellar');
  });
});
