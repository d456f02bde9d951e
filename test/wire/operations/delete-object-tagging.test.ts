/** Tests of DeleteObjectTagging over HTTP. */

import { expect, test } from 'vitest';
import { refusesTagTargets } from '../../helpers/tag-questions.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const TAGS = [{ key: 'a', value: '1' }];

inBothDialects(new WireBench(), (wire) => {
  const line = 'DELETE /{box}/a?tagging';
  const done = { status: 204, headers: {}, body: '' };
  const tagsOf = async (versionId?: string) => {
    const ref = { bucket: wire.get('box'), key: 'a' };
    const asked = versionId === undefined ? ref : { ...ref, versionId };
    return (await wire.store.getObjectTags(asked)).tags;
  };

  test('[tag-19] DeleteObjectTagging removes only the tags, and succeeds for an object without tags', async () => {
    await wire.put('a', 'kept', { tags: TAGS, attributes: { metadata: { b: '2' } } });
    expect(await wire.ask(line, { as: colleague })).toEqual(done);
    expect(await tagsOf()).toEqual([]);
    expect(await wire.ask(line)).toEqual(done);
    const answer = await wire.send('GET /{box}/a');
    expect([answer.text(), answer.header(wire.spelt('x-*-meta-b'))]).toEqual(['kept', '2']);
  });

  test('[tag-11] DeleteObjectTagging with a version id returns the id and keeps the tags of other versions', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x', { name: 'v1', tags: TAGS });
    await wire.put('a', 'x', { name: 'v2', tags: TAGS });
    expect(await wire.ask(`${line}&versionId={v1}`)).toEqual({
      ...done,
      headers: { 'x-*-version-id': '{v1}' },
    });
    expect([await tagsOf(wire.get('v1')), await tagsOf()]).toEqual([[], TAGS]);
  });

  test('[tag-13] DeleteObjectTagging removes the tags of a version under Object Lock', async () => {
    await wire.box({ objectLockEnabled: true });
    await wire.put('a', 'x', { tags: TAGS, lock: { legalHold: true } });
    expect((await wire.send(line)).status).toBe(204);
    expect(await tagsOf()).toEqual([]);
  });

  refusesTagTargets(wire, line);

  test('DeleteObjectTagging rejects a parameter of another operation', async () => {
    await wire.put('a', 'x', { tags: TAGS });
    expect(await wire.refusal(`${line}&partNumber=1`)).toMatchObject({
      status: 400,
      Code: 'InvalidArgument',
    });
  });
});
