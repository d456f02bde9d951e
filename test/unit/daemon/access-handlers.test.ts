import { expect, it } from 'vitest';

import { accessHandlers } from '../../../daemon/handlers/buckets/access.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { type Fault, faultyStore } from '../../helpers/faulty-store.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

it('the daemon does not apply a permission to an object that was replaced while the permission was granted', async () => {
  const { store } = await openTestEngine();
  const ref = { bucket: 'photos', key: 'k' };
  await store.createBucket({ bucket: 'photos', objectLockEnabled: true });
  const put = () => store.putObject({ ...ref, body: bytesBody(Buffer.from('hello')) });
  const { versionId } = await put();
  const replaced = faultyStore(store);
  const replacedMeanwhile: Fault = async ({ run }) => {
    const acl = await run();
    await put();
    return acl;
  };
  void replaced.inject({ on: 'getObjectAcl', fault: replacedMeanwhile });
  const identity = { exists: () => true, findByEmail: () => undefined };
  const handlers = accessHandlers(identity);
  const grant = [{ grantee: 'AllUsers', permission: 'READ' as const }];
  const request = { ...ref, grant, revoke: [], strict: true };
  const { signal } = new AbortController();
  const connection = { id: 1, client: 'test' };
  await handlers['acl.change'](request, { signal, connection, store: replaced.store });
  const granteesOf = async (id?: string) => {
    const { grants } = await store.getObjectAcl({ ...ref, ...(id && { versionId: id }) });
    return grants.map(({ grantee }) => grantee);
  };
  expect(await granteesOf(versionId)).toContain('AllUsers');
  expect(await granteesOf()).not.toContain('AllUsers');
});
