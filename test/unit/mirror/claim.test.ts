/** A place has one owner: of those that claim it at once, after one that comes later, and after one that is gone. */

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
import type { Place } from '../../../src/mirror/objects/destination.ts';
import { collect } from '../../../src/object-store/body.ts';
import type { ObjectInfo, ObjectStore } from '../../../src/object-store/object-store.ts';
import { StorageError } from '../../../src/object-store/storage-error.ts';
import { answeringStore, AS_RADOSGW, HONOURS_NONE } from '../../helpers/answering-store.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { overriding } from '../../helpers/forgetful-store.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

const { signal } = new AbortController();
const of = (host: string): OwnershipMarker => ({ job: 'job', host, root: '/folder' });

/** Objects in memory; each call takes effect when `turn` says so. */
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

describe('of jobs that claim one place at once, one has it', () => {
  test.each([
    ['a service that refuses all but one', true],
    ['a service that takes them all', false],
  ])('at %s', async (_service, honours) => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (order, count) => {
        const clock = new FakeClock();
        const store = memoryStore(honours, () => order.schedule(Promise.resolve()));
        const place = { store, bucket: 'bucket', prefix: '' };
        const options = { clock, takesOne: () => honours, signal };
        const hosts = Array.from({ length: count }, (_, index) => `host ${index}`);
        const claims = hosts.map((host) => holdDestination(place, of(host), options));
        const settled = Promise.allSettled(claims);
        // What is under way is over within the moment that each waits.
        await order.waitIdle();
        clock.advance(1_000);
        await order.waitIdle();
        const outcomes = await settled;
        const winners = hosts.filter((_, index) => outcomes[index]?.status === 'fulfilled');
        expect(winners).toHaveLength(1);
        const found = readMarker(place, signal);
        await order.waitIdle();
        expect((await found)?.claim.host).toBe(winners[0]);
      }),
      { numRuns: 100 },
    );
  });
});

describe.each([
  ['holds to conditions', undefined],
  ['passes over conditions', HONOURS_NONE],
  ['never takes a put under If-Match', AS_RADOSGW],
] as const)('at a service that %s', (_what, told) => {
  async function openPlace(): Promise<{
    readonly place: Place;
    hold: (host: string) => Promise<void>;
  }> {
    const { store: inner } = await openTestEngine();
    const store = told ? answeringStore(inner, told) : inner;
    await store.createBucket({ bucket: 'bucket', objectLockEnabled: true });
    const place = { store, bucket: 'bucket', prefix: 'a/b/' };
    const clock = new FakeClock();
    const hold = async (host: string) => {
      const held = holdDestination(place, of(host), { clock, takesOne: () => !told, signal });
      const over = held.then(
        () => true,
        () => true,
      );
      while (!(await Promise.race([over, setImmediate(false)]))) clock.advance(1_000);
      await held;
    };
    return { place, hold };
  }

  test('a claim is found again, refuses others, and gives way when it is taken over or released', async () => {
    const { place, hold } = await openPlace();
    await hold('attic');
    await hold('attic');
    await expect(hold('cellar')).rejects.toMatchObject({
      code: 'Claimed',
      message: expect.stringMatching(/a\/b\/\.holdfast\/claim: .* on host attic; .*take-over/),
    });
    expect(await takeOverDestination(place, of('cellar'), signal)).toEqual(of('attic'));
    expect(await takeOverDestination(place, of('cellar'), signal)).toBeUndefined();
    await expect(checkDestination(place, of('attic'), signal)).rejects.toMatchObject({
      code: 'Claimed',
    });
    await releaseDestination(place, of('attic'), signal);
    await checkDestination(place, of('cellar'), signal);
    await releaseDestination(place, of('cellar'), signal);
    expect((await readMarker(place, signal))?.claim).toEqual({ ...of('cellar'), released: true });
    await hold('attic');
    expect((await readMarker(place, signal))?.claim).toEqual(of('attic'));
  });

  test('which key a place is encrypted under outlives its claim, and no other key is taken', async () => {
    const { place, hold } = await openPlace();
    await hold('attic');
    const keyed = { ...of('attic'), keyCheck: 'one' };
    // A job that got a key, and wrote nothing under it.
    await releaseDestination(place, keyed, signal);
    expect((await readMarker(place, signal))?.claim).toEqual({ ...of('attic'), released: true });
    const options = { clock: new FakeClock(), takesOne: () => true, signal };
    await holdDestination(place, keyed, options);
    expect((await readMarker(place, signal))?.claim).toEqual(keyed);
    await checkDestination(place, keyed, signal);
    for (const claim of [of('attic'), { ...keyed, keyCheck: 'two' }]) {
      const refusal = { code: 'OtherKey' };
      await expect(checkDestination(place, claim, signal)).rejects.toMatchObject(refusal);
      await expect(holdDestination(place, claim, options)).rejects.toMatchObject(refusal);
      await expect(takeOverDestination(place, claim, signal)).rejects.toMatchObject(refusal);
    }
    // Whoever releases it has no key at hand.
    await releaseDestination(place, of('attic'), signal);
    expect((await readMarker(place, signal))?.claim).toEqual({ ...keyed, released: true });
    await expect(holdDestination(place, of('cellar'), options)).rejects.toMatchObject({
      code: 'OtherKey',
    });
    await holdDestination(place, { ...of('cellar'), keyCheck: 'one' }, options);
  });

  test('of a machine and its copy, one holds the place: whoever started last, until it is taken over', async () => {
    const { place } = await openPlace();
    const options = { clock: new FakeClock(), takesOne: () => true, signal };
    const by = (holder: string, ...holders: string[]) => ({ ...of('attic'), holder, holders });
    await holdDestination(place, by('first', 'first'), options);
    // Both know of the first start: the machine goes on from it, and so does its copy.
    await holdDestination(place, by('copy', 'first', 'copy'), options);
    const refusal = { code: 'Claimed', message: expect.stringMatching(/a copy of the other/) };
    await expect(checkDestination(place, by('first', 'first'), signal)).rejects.toMatchObject(
      refusal,
    );
    const again = by('again', 'first', 'again');
    await expect(holdDestination(place, again, options)).rejects.toMatchObject(refusal);
    expect(await takeOverDestination(place, again, signal)).toMatchObject({ holder: 'copy' });
    await checkDestination(place, again, signal);
    await expect(checkDestination(place, by('copy', 'copy'), signal)).rejects.toMatchObject(
      refusal,
    );
    // A state that was lost knows of no start.
    await holdDestination(place, { ...of('attic'), holder: 'anew' }, options);
  });

  test('a place within a place of somebody else is refused', async () => {
    const { place, hold } = await openPlace();
    const above = { ...place, prefix: '' };
    await takeOverDestination(above, of('attic'), signal);
    await expect(hold('cellar')).rejects.toThrow(/claim bucket\/\.holdfast\/claim: .* attic/);
    await releaseDestination(above, of('attic'), signal);
    await hold('cellar');
  });
});
