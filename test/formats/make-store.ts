/** Creates the fixture of a store with the engine of a checkout, in the current process. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { silentLogger } from '../../src/base/logger.ts';
import type { systemClock } from '../../src/base/clock.ts';
import type { openEngine } from '../../src/engine/engine.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { CustomerKey } from '../../src/object-store/customer-key.ts';
import { customerKeyBytes } from '../helpers/customer-keys.ts';
import { type Fixture, formatOf, packFolder } from './fixture.ts';
import { liveInStore, STORE_USER, describeVersions, type DescribedVersion } from './store-life.ts';
import { withFolder } from './with-folder.ts';

const MADE_AT = Date.UTC(2026, 10, 21, 12);
/** The name of the customer key `customerKey(STORE_KEY)`. */
export const STORE_KEY = 'of a fixture';

interface Tree {
  readonly clock: { readonly systemClock: typeof systemClock };
  readonly engine: { readonly openEngine: typeof openEngine };
  readonly customerKey?: { readonly CustomerKey: typeof CustomerKey };
}

export async function makeStore(
  tree: string,
): Promise<[name: string, Omit<Fixture<readonly DescribedVersion[]>, 'commit'>]> {
  return withFolder(async (dir) => {
    const { clock, engine, customerKey } = await load(tree);
    let now = MADE_AT;
    // Advances the clock by a second for each call, so that all times differ.
    const ticking = { ...clock.systemClock, now: () => (now += 1_000) };
    const open = { dir, clock: ticking, logger: silentLogger, region: 'us-east-1' };
    const opened = await engine.openEngine(open);
    const store = opened.as(internalCaller(STORE_USER, MADE_AT));
    const key = customerKey?.CustomerKey.take(customerKeyBytes(STORE_KEY));
    await liveInStore({ store, now: MADE_AT, customerKey: key });
    const contents = await describeVersions(store, key);
    await opened.close();
    const format = formatOf(join(dir, 'store.sqlite'));
    const name = `store-${String(format).padStart(2, '0')}`;
    // Omits the lock file, because it describes only the process that held the store open.
    const files = packFolder(dir, /^lock\./);
    return [name, { formats: { store: format }, madeAt: now, contents, files }];
  });
}

/** Loads the modules of a checkout. An engine without SSE-C has no `CustomerKey`. */
async function load(tree: string): Promise<Tree> {
  const [clock, engine] = await Promise.all([
    import(join(tree, 'src/base/clock.ts')) as Promise<Tree['clock']>,
    import(join(tree, 'src/engine/engine.ts')) as Promise<Tree['engine']>,
  ]);
  const sealing = join(tree, 'src/engine/encryption/sealing.ts');
  if (!existsSync(sealing)) return { clock, engine };
  const path = join(tree, 'src/object-store/customer-key.ts');
  return { clock, engine, customerKey: (await import(path)) as NonNullable<Tree['customerKey']> };
}
