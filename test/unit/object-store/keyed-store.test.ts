/** Tests of a store that encrypts all objects that it writes with a customer key. */

import { expect, test } from 'vitest';

import { KeyedStore } from '../../../src/object-store/keyed-store.ts';
import { customerKey } from '../../helpers/customer-keys.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

test('the encrypting store encrypts the objects of a bulk write, except for keys that are configured as unencrypted', async () => {
  const { store } = await openTestEngine();
  const bucket = 'bucket';
  await store.createBucket({ bucket });
  const [ours, other] = [customerKey('one'), customerKey('two')];
  const keyed = new KeyedStore(store, { key: ours, isClear: (key) => key.startsWith('clear/') });
  const bytes = Buffer.from('content');
  const objects = [
    { key: 'a', bytes },
    { key: 'clear/a', bytes },
    { key: 'b', bytes, customerKey: other },
  ];
  await keyed.bulkWriter?.putObjects({ bucket, objects });
  const needs = { code: 'InvalidRequest' };
  await expect(store.headObject({ bucket, key: 'a' })).rejects.toMatchObject(needs);
  await store.headObject({ bucket, key: 'a', customerKey: ours });
  await store.headObject({ bucket, key: 'clear/a' });
  await store.headObject({ bucket, key: 'b', customerKey: other });
});
