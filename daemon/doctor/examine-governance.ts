/**
 * Tests whether the access key may extend a GOVERNANCE lock. Otherwise a job could set such locks but could not renew
 * them.
 */

import type { ProbeContext } from '../../src/mirror/capabilities/clear-probe.ts';
import { failureKind } from '../../src/mirror/model/failure-kind.ts';
import { bytesBody } from '../../src/object-store/body.ts';

const BODY = 'lock test of Holdfast, safe to delete\n';
/** How long the object of the test is locked. Services may report their time in whole seconds. */
const LOCKED_MS = 4_000;
const EXTENDED_MS = 5_000;

/**
 * Locks the object `key` for some seconds, extends the lock, and waits until it has ended, so that the object can be
 * removed. Returns undefined if the key may not set the first lock.
 */
export async function mayExtendGovernance(
  key: string,
  context: ProbeContext,
): Promise<boolean | undefined> {
  const { destination, clock, signal } = context;
  const { store, bucket } = destination;
  const time = await store.serviceTime({ bucket }, { signal });
  const now = time?.now ?? clock.now();
  const lockUntil = (retainUntil: number) => ({ mode: 'GOVERNANCE', retainUntil }) as const;
  const body = bytesBody(BODY);
  const lock = { retention: lockUntil(now + LOCKED_MS) };
  if (!(await isAllowed(() => store.putObject({ bucket, key, body, lock }, { signal }))))
    return undefined;
  const extended = { bucket, key, retention: lockUntil(now + EXTENDED_MS) };
  const isExtended = await isAllowed(() => store.putRetention(extended, { signal }));
  await clock.sleep(EXTENDED_MS, signal);
  return isExtended;
}

async function isAllowed(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request();
    return true;
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    return false;
  }
}
