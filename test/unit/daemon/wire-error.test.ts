/** What a client is told of a failure of the daemon. */

import { expect, test } from 'vitest';

import { controlErrorOf } from '../../../daemon/wire-error.ts';
import { silentLogger } from '../../../src/base/logger.ts';

test('a part that another release has replaced is said to be gone, with the way out', async () => {
  const gone = 'file:///nowhere/messages-B3Wx.js';
  const error: unknown = await import(/* @vite-ignore */ gone).catch((reason: unknown) => reason);
  expect(controlErrorOf(error, silentLogger)).toMatchObject({
    code: 'VersionMismatch',
    hint: 'start the daemon anew',
  });
});

test('what nobody foresaw is told without its text', () => {
  const { code, message } = controlErrorOf(new Error('/home/ann/secret'), silentLogger);
  expect(code).toBe('Internal');
  expect(message).not.toContain('ann');
});
