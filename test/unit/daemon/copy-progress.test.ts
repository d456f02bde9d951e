/** Tests of the progress of server-side copies. For a large object, progress is reported after each part. */

import { expect, test } from 'vitest';

import type { TargetContext } from '../../../daemon/handlers/buckets/at-target.ts';
import { type CopyProgress, objectHandlers } from '../../../daemon/handlers/buckets/objects.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

const PART_BYTES = 512 * 1024 ** 2;
const LARGE_BYTES = 12 * PART_BYTES;

function fixture() {
  const clock = new FakeClock();
  const info = { sizeBytes: LARGE_BYTES, etag: 'e', lastModifiedAt: 0 };
  const store = {
    headObject: async () => ({ info }),
    getObjectTags: async () => ({ tags: [] }),
    listObjects: async () => ({
      objects: [
        { key: 'from/a', ...info },
        { key: 'from/b', ...info },
      ],
      commonPrefixes: [],
    }),
    createUpload: async () => ({ uploadId: 'u' }),
    copyPart: async () => {
      clock.advance(1_000);
      return { etag: 'p' };
    },
    completeUpload: async () => ({ etag: 'done' }),
  } as unknown as ObjectStore;
  const seen: (CopyProgress & { id: string })[] = [];
  const onCopyProgress = (id: string, progress: CopyProgress) => seen.push({ id, ...progress });
  const handlers = objectHandlers({ logger: silentLogger, clock, onCopyProgress });
  const { signal } = new AbortController();
  const context = { store, target: { name: 'far' }, signal } as unknown as TargetContext;
  return { handlers, context, seen };
}

const FROM = { bucket: 'one', key: 'from/a' };
const TO = { bucket: 'other', key: 'to/a' };

test('the daemon reports the copied bytes of a large object after each part', async () => {
  const { handlers, context, seen } = fixture();
  await handlers['objects.copy']({ from: FROM, to: TO, overwrite: true, id: 'copy' }, context);
  expect(seen.map(({ sizeBytes }) => sizeBytes / PART_BYTES)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
  ]);
  expect(seen.at(-1)).toEqual({
    id: 'copy',
    objects: 0,
    sizeBytes: LARGE_BYTES,
    totalBytes: LARGE_BYTES,
  });
  seen.length = 0;
  await handlers['objects.copy']({ from: FROM, to: TO, overwrite: true }, context);
  expect(seen).toEqual([]);
});

test('the daemon reports the parts in flight of the copies below a prefix, and counts each byte once', async () => {
  const { handlers, context, seen } = fixture();
  const [from, to] = [FROM, TO].map(({ bucket, key }) => ({ bucket, prefix: key.slice(0, -1) }));
  if (!from || !to) throw new Error('no prefixes');
  const asked = { from, to, overwrite: true, dryRun: false, id: 'copies' };
  await handlers['prefixes.copy'](asked, context);
  const bytes = seen.map(({ sizeBytes }) => sizeBytes);
  expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
  expect(bytes.some((each) => each > 0 && each < LARGE_BYTES)).toBe(true);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(2 * LARGE_BYTES);
});
