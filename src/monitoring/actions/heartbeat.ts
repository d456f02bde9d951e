/** A sign of life: an address is asked for while all is well, so that its owner notices when it is not. */

import type { Clock } from '../../base/clock.ts';
import { errorCode, errorMessage } from '../../base/errors.ts';
import { done, failed, type Outcome } from './outcome.ts';

const TIMEOUT_MS = 15_000;

/** Rejects only with the signal's reason. The path of the address may be a secret: it is never told. */
export async function beat(url: string, clock: Clock, signal: AbortSignal): Promise<Outcome> {
  const timeout = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => timeout.abort());
  // Not before: most daemons never ask anybody, and it has 26 MB.
  const { Agent, request } = await import('undici');
  const agent = new Agent({ allowH2: false, connect: { rejectUnauthorized: true } });
  try {
    const { statusCode, body } = await request(url, {
      method: 'GET',
      dispatcher: agent,
      headers: { 'user-agent': 'holdfast' },
      signal: AbortSignal.any([signal, timeout.signal]),
    });
    await body.dump();
    return statusCode < 300 ? done(`status ${statusCode}`) : failed(`status ${statusCode}`);
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.signal.aborted) return failed(`no answer within ${TIMEOUT_MS / 1000} s`);
    return failed(`not reached: ${errorCode(error) ?? errorMessage(error)}`);
  } finally {
    cancel();
    await agent.destroy();
  }
}
