/** The customer's key of a job, where it has one: read when the job opens, and held in memory alone. */

import { createHmac } from 'node:crypto';

import type { JobConfig } from '../src/config/config.ts';
import { readCustomerKey } from '../src/config/read-customer-key.ts';
import { claimKey } from '../src/mirror/claim/claim-object.ts';
import { CustomerKey } from '../src/object-store/customer-key.ts';
import { keyedStore } from '../src/object-store/keyed-store.ts';
import type { ObjectStore } from '../src/object-store/object-store.ts';
import { ControlError } from '../src/control/control-error.ts';

/** What of it is told apart from other keys, and gives nothing of it away: it is random. */
const CHECK_PURPOSE = 'holdfast: which key a place is encrypted under';

export interface JobKey {
  readonly key: CustomerKey;
  /** For the job's claim: tells whether another key is the same one. */
  readonly keyCheck: string;
}

/** Rejects with KeySourceError, or with the signal's reason. */
export async function readJobKey(
  { customerKey: source }: Pick<JobConfig, 'customerKey'>,
  signal: AbortSignal,
): Promise<JobKey | undefined> {
  if (source === undefined) return undefined;
  const key = CustomerKey.take(await readCustomerKey(source, signal));
  if (key === undefined) throw new ControlError('Failed', 'read customer key: it has not 32 bytes');
  return { key, keyCheck: createHmac('sha256', key.secret).update(CHECK_PURPOSE).digest('hex') };
}

/** Where it comes from, for people. */
export function keySource({ customerKey }: Pick<JobConfig, 'customerKey'>) {
  if (customerKey === undefined) return undefined;
  return customerKey.file === undefined ? ('command' as const) : ('file' as const);
}

/** The store of a job: its objects under the key, claims in clear, so that who has no key sees whose a place is. */
export function storeUnder(key: CustomerKey, store: ObjectStore): ObjectStore {
  const claim = claimKey({ prefix: '' });
  const isClear = (key: string) => key === claim || key.endsWith(`/${claim}`);
  return keyedStore(store, { key, isClear });
}
