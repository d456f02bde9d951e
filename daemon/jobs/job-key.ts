/** Reads the customer-provided keys of a job when the job opens. They are only kept in memory. */

import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import type { JobConfig } from '../../src/config/config.ts';
import type { CustomerKeySource } from '../../src/config/customer-key.ts';
import { KeySourceError, readCustomerKey } from '../../src/config/read-customer-key.ts';
import { markerKey } from '../../src/mirror/objects/ownership-marker.ts';
import { CustomerKey } from '../../src/object-store/customer-key.ts';
import { KeyedStore, type KeyRing } from '../../src/object-store/keyed-store.ts';
import type { MirrorStore } from '../../src/object-store/mirror-store.ts';
import { ControlError } from '../../src/control/control-error.ts';

/** The message of the HMAC that identifies a key. The key is random, so its HMAC does not reveal it. */
const CHECK_PURPOSE = 'holdfast: which key a place is encrypted under';

export interface JobKeys extends KeyRing {
  /** The HMAC that identifies the key in the job's ownership marker, in hexadecimal. */
  readonly keyCheck: string;
  /** The HMACs that identify the earlier keys. */
  readonly earlierChecks: readonly string[];
}

/**
 * Returns the keys of a job. Returns undefined if the job has no keys. Rejects with KeySourceError if a key cannot
 * be read, and with the signal's reason.
 */
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
 * Returns whether the key files contain keys other than `known`. Returns false if a program supplies a key: the program
 * may prompt the user, so it runs only when the job opens. Also returns false if a key cannot be read now.
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
  throw new ControlError('Failed', 'cannot read the customer key: it does not have 32 bytes');
}

function checkOf({ secret }: CustomerKey): string {
  return createHmac('sha256', secret).update(CHECK_PURPOSE).digest('hex');
}

/** Returns the kind of source of the customer-provided key, for the job's status. */
export function keySource({ customerKey }: Pick<JobConfig, 'customerKey'>) {
  if (customerKey === undefined) return undefined;
  return customerKey.file === undefined ? ('command' as const) : ('file' as const);
}

/**
 * Returns a store that encrypts a job's objects with its key. Ownership markers stay unencrypted, so that clients
 * without the key can read which job owns a destination.
 */
export function storeUnder(keys: KeyRing, store: MirrorStore): MirrorStore {
  const claim = markerKey({ prefix: '' });
  const isClear = (key: string) => key === claim || key.endsWith(`/${claim}`);
  return new KeyedStore(store, { ...keys, isClear });
}

/** Returns the HMACs that identify the job's keys in its ownership marker. */
export function checksOf(keys: JobKeys | undefined) {
  return keys && { keyCheck: keys.keyCheck, earlierChecks: keys.earlierChecks };
}
