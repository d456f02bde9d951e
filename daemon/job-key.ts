/** The customer's keys of a job, where it has one: read when the job opens, and held in memory alone. */

import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import type { JobConfig } from '../src/config/config.ts';
import type { CustomerKeySource } from '../src/config/customer-key.ts';
import { KeySourceError, readCustomerKey } from '../src/config/read-customer-key.ts';
import { markerKey } from '../src/mirror/objects/ownership-marker.ts';
import { CustomerKey } from '../src/object-store/customer-key.ts';
import { KeyedStore, type KeyRing } from '../src/object-store/keyed-store.ts';
import type { MirrorStore } from '../src/object-store/mirror-store.ts';
import { ControlError } from '../src/control/control-error.ts';

/** What of it is told apart from other keys, and gives nothing of it away: it is random. */
const CHECK_PURPOSE = 'holdfast: which key a place is encrypted under';

export interface JobKeys extends KeyRing {
  /** For the job's claim: tells whether another key is the same one. */
  readonly keyCheck: string;
  readonly earlierChecks: readonly string[];
}

/** Rejects with KeySourceError, or with the signal's reason: none of them may be missing. */
export async function readJobKeys(
  { customerKey: source }: Pick<JobConfig, 'customerKey'>,
  signal: AbortSignal,
): Promise<JobKeys | undefined> {
  if (source === undefined) return undefined;
  const key = await readKey(source, signal);
  const earlier: CustomerKey[] = [];
  for (const each of source.earlier ?? []) earlier.push(await readKey(each, signal));
  return { key, earlier, keyCheck: checkOf(key), earlierChecks: earlier.map(checkOf) };
}

/**
 * Whether its files hold other keys by now. A program is asked when the job starts and not again, since it may ask its user;
 * and a key that cannot be read takes none away that was good.
 */
export async function hasOtherKeys(
  config: Pick<JobConfig, 'customerKey'>,
  known: JobKeys | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const { customerKey: source } = config;
  if (source === undefined || known === undefined) return false;
  if ([source, ...(source.earlier ?? [])].some(({ command }) => command !== undefined))
    return false;
  try {
    const now = await readJobKeys(config, signal);
    return !isDeepStrictEqual(
      [now?.keyCheck, now?.earlierChecks],
      [known.keyCheck, known.earlierChecks],
    );
  } catch (error) {
    if (error instanceof KeySourceError) return false;
    throw error;
  }
}

async function readKey(source: CustomerKeySource, signal: AbortSignal): Promise<CustomerKey> {
  const key = CustomerKey.take(await readCustomerKey(source, signal));
  if (key) return key;
  throw new ControlError('Failed', 'read customer key: it has not 32 bytes');
}

function checkOf({ secret }: CustomerKey): string {
  return createHmac('sha256', secret).update(CHECK_PURPOSE).digest('hex');
}

/** Where it comes from, for people. */
export function keySource({ customerKey }: Pick<JobConfig, 'customerKey'>) {
  if (customerKey === undefined) return undefined;
  return customerKey.file === undefined ? ('command' as const) : ('file' as const);
}

/** The store of a job: its objects under its key, claims in clear, so that who has no key sees whose a place is. */
export function storeUnder(keys: KeyRing, store: MirrorStore): MirrorStore {
  const claim = markerKey({ prefix: '' });
  const isClear = (key: string) => key === claim || key.endsWith(`/${claim}`);
  return new KeyedStore(store, { ...keys, isClear });
}
