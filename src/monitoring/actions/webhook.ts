/** The action `webhook`: what happened as JSON, posted to an address. */

import type { Clock } from '../../base/clock.ts';
import { errorCode, errorMessage } from '../../base/errors.ts';
import type { AlarmAction } from '../alarm.ts';
import { MonitoringError } from '../monitoring-error.ts';
import type { Notice } from './notice.ts';
import { done, failed, failedForNow, type Outcome } from './outcome.ts';
import { readSecretHeader } from './secret-header.ts';

/** From the first byte to the last: a hook takes note, and works afterwards. */
const TIMEOUT_MS = 15_000;
/** Of an answer only the beginning is read, to be told. */
const MAX_ANSWER_BYTES = 1024;

export async function postWebhook(
  { url, secretFile }: Extract<AlarmAction, { type: 'webhook' }>,
  { document }: Notice,
  { clock }: { readonly clock: Clock },
  signal: AbortSignal,
): Promise<Outcome> {
  const timeout = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => timeout.abort());
  // Not before: most daemons never ask anybody, and it has 26 MB.
  const { Agent, request } = await import('undici');
  // One request is all that it is for. NODE_TLS_REJECT_UNAUTHORIZED does not count: said here.
  const agent = new Agent({ allowH2: false, connect: { rejectUnauthorized: true } });
  try {
    const secret = secretFile === undefined ? {} : readSecretHeader(secretFile);
    const response = await request(url, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', 'user-agent': 'holdfast', ...secret },
      body: JSON.stringify(document),
      signal: AbortSignal.any([signal, timeout.signal]),
    });
    return outcomeOf(response.statusCode, await beginning(response.body));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MonitoringError) return failed(error.message);
    if (timeout.signal.aborted) return failedForNow(`no answer within ${TIMEOUT_MS / 1000} s`);
    return failedForNow(`not reached: ${errorCode(error) ?? errorMessage(error)}`);
  } finally {
    cancel();
    await agent.destroy();
  }
}

function outcomeOf(status: number, answer: string): Outcome {
  const said = `status ${status}${answer.trim() === '' ? '' : `: ${answer}`}`;
  if (status >= 200 && status < 300) return done(said);
  // A redirect is not followed: the secret was meant for the address that was given.
  if (status >= 300 && status < 400) return failed(`${said} (redirects are not followed)`);
  const mayPass = status >= 500 || status === 408 || status === 429;
  return mayPass ? failedForNow(said) : failed(said);
}

async function beginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
}
