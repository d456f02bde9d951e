/**
 * Sends a heartbeat: a request to a URL while everything works. An external monitor behind the URL
 * detects when the requests stop.
 */

import type { Clock } from '../../base/clock.ts';
import { errorCode, errorMessage } from '../../base/errors.ts';
import { done, failed, type Outcome } from './outcome.ts';

const TIMEOUT_MS = 15_000;

/**
 * Requests the URL once and returns the outcome. Rejects only with the signal's reason. The outcome
 * omits the path of the URL, because the path may be secret.
 */
export async function beat(url: string, clock: Clock, signal: AbortSignal): Promise<Outcome> {
  const timeout = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => timeout.abort());
  // undici is loaded on demand, because it uses 26 MB and most daemons send no request.
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
    if (timeout.signal.aborted) return failed(`no response within ${TIMEOUT_MS / 1000} s`);
    return failed(`cannot connect: ${errorCode(error) ?? errorMessage(error)}`);
  } finally {
    cancel();
    await agent.destroy();
  }
}
