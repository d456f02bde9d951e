/** Tests of DeleteBucketLifecycle over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'DELETE /{box}?lifecycle';
  const set = () =>
    wire.store.putLifecycle({
      bucket: wire.get('box'),
      rules: [{ id: 'kept', enabled: true, filter: {}, expiration: { days: 3 } }],
    });

  test('[lc-45] DeleteBucketLifecycle removes all rules, and succeeds for a bucket without rules', async () => {
    await set();
    for (let time = 0; time < 2; time += 1) {
      expect(await wire.ask(line)).toEqual({ status: 204, headers: {}, body: '' });
    }
    const read = wire.store.getLifecycle({ bucket: wire.get('box') });
    await expect(read).rejects.toMatchObject({ code: 'NoSuchLifecycleConfiguration' });
  });

  refusesStrangers(wire, line);

  wire.refuses(
    [
      [
        'the lifecycle of an object',
        'DELETE /{box}/a?lifecycle',
        {},
        { status: 405, Code: 'MethodNotAllowed', Method: 'DELETE', ResourceType: 'LIFECYCLE' },
      ],
      [
        'a second subresource',
        'DELETE /{box}?lifecycle&tagging',
        {},
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'tagging', ArgumentValue: '' },
      ],
    ],
    set,
  );
});
