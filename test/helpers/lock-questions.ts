/** Tests of the errors that all retention and legal hold operations on a version have in common. */

import { expect, test } from 'vitest';
import { refusesStrangers } from './strangers.ts';
import type { Given, Wire } from './wire.ts';

/**
 * Defines the tests. `line` is the request line of a request for the object `a` of `{box}`, the
 * bucket of the test.
 */
export function refusesLockTargets(wire: Wire, line: string, given: Given = {}): void {
  const lockBox = () => wire.box({ objectLockEnabled: true });
  const refusal = async (asked: string) => wire.refusal(asked, given);

  test('a lock request for an object that does not exist fails with NoSuchKey', async () => {
    await lockBox();
    expect(await refusal(line)).toEqual({ status: 404, Code: 'NoSuchKey' });
  });

  test('a lock request for a version that does not exist fails with NoSuchVersion', async () => {
    await lockBox();
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
    'a lock request refuses the invalid version id %j',
    async (id) => {
      await lockBox();
      await wire.put('a', 'x');
      expect(await refusal(`${line}&versionId=${id}`)).toEqual({
        status: 400,
        Code: 'InvalidArgument',
        ArgumentName: 'versionId',
        ArgumentValue: id,
      });
    },
  );

  test('a lock request for a delete marker fails with MethodNotAllowed, with and without a version id', async () => {
    await lockBox();
    await wire.put('a', 'x');
    const { versionId } = await wire.store.deleteObject({ bucket: wire.get('box'), key: 'a' });
    wire.name('m', versionId);
    for (const asked of [line, `${line}&versionId={m}`]) {
      expect(await refusal(asked)).toEqual({ status: 405, Code: 'MethodNotAllowed' });
      const answer = await wire.send(asked, given);
      const { headerPrefix } = wire.dialect;
      expect(answer.header(`${headerPrefix}delete-marker`)).toBe('true');
      expect(answer.header('allow')).toBe('DELETE');
    }
  });

  test('a lock request in a bucket without Object Lock fails with InvalidRequest', async () => {
    await wire.box();
    await wire.versioning('Enabled');
    await wire.put('a', 'x');
    expect(await refusal(line)).toEqual({ status: 400, Code: 'InvalidRequest' });
  });

  test('a lock request refuses the methods POST and DELETE', async () => {
    await lockBox();
    await wire.put('a', 'x');
    for (const method of ['POST', 'DELETE']) {
      const returned = await wire.refusal(line.replace(/^\w+/, method));
      expect(returned).toMatchObject({ status: 405, Code: 'MethodNotAllowed', Method: method });
    }
  });

  refusesStrangers(wire, line, given);
}

/** Defines the tests of `refusesLockTargets` and one more test for requests that read a lock. */
export function refusesLockQuestions(wire: Wire, line: string): void {
  test('reading a lock that was never set fails with ObjectLockConfigurationNotFoundError', async () => {
    await wire.box({ objectLockEnabled: true });
    await wire.put('a', 'x', { name: 'v1' });
    for (const asked of [line, `${line}&versionId={v1}`]) {
      expect(await wire.refusal(asked)).toEqual({
        status: 404,
        Code: 'ObjectLockConfigurationNotFoundError',
      });
    }
  });

  refusesLockTargets(wire, line);
}
