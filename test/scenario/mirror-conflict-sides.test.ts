/** Tests of reading the local and the remote version of a conflict. A job reads only files inside its folder. */

import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { sidesOf } from '../../src/mirror/conflicts/conflict-sides.ts';
import { MEMORY_BODY_BYTES } from '../../src/mirror/local/read-file.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { collect } from '../../src/object-store/body.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

const first = (mirror: Mirror) => {
  const [conflict] = mirror.conflicts.list({ limit: 1 }).conflicts;
  if (!conflict) throw new Error('no conflict was found');
  return conflict;
};

test('a job returns the local version of a conflict if its folder is reached through a symbolic link', async () => {
  const bench = await openMirrorBench();
  const { root: real, store, bucket } = bench;
  const root = join(bench.home, 'link');
  symlinkSync(real, root);
  writeFileSync(join(real, 'f'), 'ours');
  await bench.writeForeign('f', 'theirs');
  const mirror = await bench.open({ root });
  await mirror.settled();
  const { signal } = new AbortController();
  const { provenance } = mirror;
  const context = { store, bucket, prefix: '', root, provenance, clock: systemClock, signal };
  const { local } = await sidesOf(first(mirror), context);
  expect(local).toMatchObject({ where: 'folder', kind: 'file', sizeBytes: 4 });
});

test('a job refuses to read the local version of a conflict through a symbolic link that replaced a parent folder', async () => {
  const bench = await openMirrorBench();
  const { root, home, store, bucket } = bench;
  const large = (byte: string) => Buffer.alloc(MEMORY_BODY_BYTES + 1, byte);
  for (const folder of [join(root, 'd'), join(home, 'elsewhere')]) mkdirSync(folder);
  writeFileSync(join(root, 'd/f'), large('o'));
  writeFileSync(join(home, 'elsewhere/f'), large('s'));
  await bench.writeForeign('d/f', 'theirs');
  const mirror = await bench.open({});
  await mirror.settled();
  const { signal } = new AbortController();
  const { provenance } = mirror;
  const context = { store, bucket, prefix: '', root, provenance, clock: systemClock, signal };
  const { local } = await sidesOf(first(mirror), context);
  const { read: start } = local;
  if (!start) throw new Error('the side has no content');
  const read = async () => Buffer.from(await collect(start(3), 3)).toString();
  expect(await read()).toBe('ooo');
  renameSync(join(root, 'd'), join(root, 'd.was'));
  symlinkSync(join(home, 'elsewhere'), join(root, 'd'));
  await expect(read()).rejects.toThrow('cannot open d/f: it is not in its folder any more');
});
