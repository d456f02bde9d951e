/** Tests of errors that are sent over the control socket. */

import { expect, test } from 'vitest';
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';

import { ControlError } from '../../../src/control/control-error.ts';
import { fromResponseError, fromWire, toWire } from '../../../src/control/wire-error.ts';

test('an error keeps its code, message, hint and details on the control socket', () => {
  const extra = { storageCode: 'NoSuchBucket', details: { n: 1, yes: true, s: 'x' }, hint: 'h' };
  const error = new ControlError('Storage', 'm', extra);
  const received: unknown = JSON.parse(JSON.stringify(toWire(error)));
  expect(fromWire(received)).toEqual(error);
});

test.each([
  undefined,
  null,
  'text',
  { message: 'm' },
  { message: 1, data: { code: 'Failed' } },
  { message: 'm', data: { code: 'Unknown' } },
  { message: 'm', data: { code: 'Failed', hint: 1 } },
  { message: 'm', data: { code: 'Failed', storageCode: {} } },
  { message: 'm', data: { code: 'Failed', details: [] } },
  { message: 'm', data: { code: 'Failed', details: { nested: {} } } },
])('a client refuses a value that is not an error of the control protocol: %j', (value) => {
  expect(fromWire(value)).toBeUndefined();
});

test('the error for a lost connection to the daemon names a command that shows the state', () => {
  const words = 'Pending response rejected since connection got disposed';
  const cause = new ResponseError(ErrorCodes.PendingResponseRejected, words);
  const error = fromResponseError('jobs.settled', cause);
  expect(error).toMatchObject({
    code: 'Disconnected',
    message: 'jobs.settled: the connection to the daemon was lost before it responded',
    hint: expect.stringContaining('holdfast status') as string,
  });
});
