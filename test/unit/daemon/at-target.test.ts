import { expect, it } from 'vitest';

import { atTarget, type Place } from '../../../daemon/handlers/buckets/at-target.ts';

it('the daemon passes to the handler of a request the store of the target that the request names, and the other parameters', async () => {
  const places = { near: { store: {} } as Place, far: { store: {} } as Place };
  const calls: unknown[] = [];
  const handlers = atTarget((name) => (name === 'far' ? places.far : places.near), {
    'policy.remove': async (params, { store }) => {
      calls.push([params, store]);
      return { removed: true };
    },
  });
  const { signal } = new AbortController();
  const context = { signal, connection: { id: 1, client: 'test' } };
  await handlers['policy.remove']({ bucket: 'a', target: 'far' }, context);
  await handlers['policy.remove']({ bucket: 'b' }, context);
  expect(calls).toEqual([
    [{ bucket: 'a' }, expect.toSatisfy((store) => store === places.far.store)],
    [{ bucket: 'b' }, expect.toSatisfy((store) => store === places.near.store)],
  ]);
});
