/** Tests of the errors that all tagging operations on an object have in common. */

import { expect, test } from 'vitest';
import { refusesStrangers } from './strangers.ts';
import type { Given, Wire } from './wire.ts';

/**
 * Defines the tests. `line` is the request line of a request for the object `a` of `{box}`, the
 * bucket of the test.
 */
export function refusesTagTargets(wire: Wire, line: string, given: Given = {}): void {
  const refusal = (asked: string) => wire.refusal(asked, given);

  test('[tag-8] a tagging request for an object that does not exist fails with NoSuchKey', async () => {
    expect(await refusal(line)).toEqual({ status: 404, Code: 'NoSuchKey' });
  });

  test('[tag-8] a tagging request for a version that does not exist fails with NoSuchVersion', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x', { name: 'gone' });
    const [bucket, versionId] = [wire.get('box'), wire.get('gone')];
    await wire.store.deleteObject({ bucket, key: 'a', versionId });
    await wire.put('a', 'x');
    for (const id of ['{gone}', 'null']) {
      const returned = { status: 404, Code: 'NoSuchVersion' };
      expect(await refusal(`${line}&versionId=${id}`)).toEqual(returned);
    }
  });

  test.each(['', 'x', '../../a'])(
    'a tagging request refuses the invalid version id %j',
    async (id) => {
      await wire.put('a', 'x');
      expect(await refusal(`${line}&versionId=${id}`)).toEqual({
        status: 400,
        Code: 'InvalidArgument',
        ArgumentName: 'versionId',
        ArgumentValue: id,
      });
    },
  );

  test('[tag-9] a tagging request for a delete marker fails with MethodNotAllowed, with and without a version id', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x');
    const { versionId } = await wire.store.deleteObject({ bucket: wire.get('box'), key: 'a' });
    wire.name('m', versionId);
    for (const asked of [line, `${line}&versionId={m}`]) {
      expect(await refusal(asked)).toEqual({ status: 405, Code: 'MethodNotAllowed' });
    }
  });

  test('a tagging request refuses a key of more than 1,024 bytes', async () => {
    const asked = line.replace('/a?', `/${'a'.repeat(1025)}?`);
    expect(await refusal(asked)).toMatchObject({ status: 400, Code: 'KeyTooLongError' });
  });

  refusesStrangers(wire, line, given);
}
