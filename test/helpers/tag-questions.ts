/** What every operation on the tags of one version refuses. */

import { expect, test } from 'vitest';
import { refusesStrangers } from './strangers.ts';
import type { Given, Wire } from './wire.ts';

/** `line` speaks of the object `a` of `{box}`. */
export function refusesTagTargets(wire: Wire, line: string, given: Given = {}): void {
  const refusal = (asked: string) => wire.refusal(asked, given);

  test('[tag-8] an object that does not exist is said', async () => {
    expect(await refusal(line)).toEqual({ status: 404, Code: 'NoSuchKey' });
  });

  test('[tag-8] a version that does not exist is said', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x', { name: 'gone' });
    const [bucket, versionId] = [wire.get('box'), wire.get('gone')];
    await wire.store.deleteObject({ bucket, key: 'a', versionId });
    await wire.put('a', 'x');
    for (const id of ['{gone}', 'null']) {
      const told = { status: 404, Code: 'NoSuchVersion' };
      expect(await refusal(`${line}&versionId=${id}`)).toEqual(told);
    }
  });

  test.each(['', 'x', '../../a'])('%j is no version id', async (id) => {
    await wire.put('a', 'x');
    expect(await refusal(`${line}&versionId=${id}`)).toEqual({
      status: 400,
      Code: 'InvalidArgument',
      ArgumentName: 'versionId',
      ArgumentValue: id,
    });
  });

  test('[tag-9] a delete marker has no tags, whether it is current or named', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x');
    const { versionId } = await wire.store.deleteObject({ bucket: wire.get('box'), key: 'a' });
    wire.name('m', versionId);
    for (const asked of [line, `${line}&versionId={m}`]) {
      expect(await refusal(asked)).toEqual({ status: 405, Code: 'MethodNotAllowed' });
    }
  });

  test('a key of more than 1,024 bytes is refused', async () => {
    const asked = line.replace('/a?', `/${'a'.repeat(1025)}?`);
    expect(await refusal(asked)).toMatchObject({ status: 400, Code: 'KeyTooLongError' });
  });

  refusesStrangers(wire, line, given);
}
