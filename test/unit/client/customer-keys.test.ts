/** Tests of the endpoints to which the client sends, or refuses to send, a customer key (SSE-C). */

import { expect, test } from 'vitest';

import { customerKeyGuard } from '../../../src/client/customer-keys.ts';
import { customerKey } from '../../helpers/customer-keys.ts';

const key = customerKey('k');

test.each([
  'https://storage.example.com',
  'http://127.0.0.1:9010',
  'http://[::1]:9010',
  'http://localhost',
])('[ssec-8] the client sends a customer key to %s', (origin) => {
  expect(() => customerKeyGuard(origin)({ customerKey: key })).not.toThrow();
});

test.each([{ customerKey: key }, { sourceCustomerKey: key }])(
  '[ssec-8] the client refuses to send a customer key to another machine without TLS',
  (input) => {
    const guard = customerKeyGuard('http://storage.example.com');
    const refusal = expect.objectContaining({ code: 'InvalidRequest' }) as Error;
    expect(() => guard(input)).toThrowError(refusal);
    expect(() => guard({})).not.toThrow();
  },
);
