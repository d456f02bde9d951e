/**
 * Tests of the linearizability checker, which accepts possible histories and rejects impossible
 * ones.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { HistoryRecorder, linearize, type Recorded } from '../../helpers/linearizability.ts';
import { objectModel, type ObjectAnswer, type ObjectCall } from '../../helpers/object-model.ts';

type Step = Recorded<ObjectCall, ObjectAnswer>;

const etagOf = (text: string) =>
  objectModel.apply({}, { kind: 'put', key: 'k', text, conditions: {} }).answer.etag ?? '';

const step = (
  from: number,
  to: number | undefined,
  call: ObjectCall,
  answer: ObjectAnswer,
): Step => ({
  call,
  beginsAt: from,
  ...(to !== undefined && { end: { at: to, answer } }),
});
const put = (from: number, to: number | undefined, text: string, conditions = {}, status = 200) =>
  step(
    from,
    to,
    { kind: 'put', key: 'k', text, conditions },
    status === 200 ? { status, etag: etagOf(text) } : { status },
  );
const get = (from: number, to: number, text: string | undefined, key = 'k') =>
  step(
    from,
    to,
    { kind: 'get', key },
    text === undefined ? { status: 404 } : { status: 200, text, etag: etagOf(text) },
  );

describe('histories that the linearizability checker accepts', () => {
  test.each<[string, readonly Step[]]>([
    ['without calls', []],
    ['of sequential calls', [put(1, 2, 'a'), get(3, 4, 'a'), put(5, 6, 'b'), get(7, 8, 'b')]],
    [
      'of a read during a write that returns the old value',
      [put(1, 2, 'a'), put(3, 6, 'b'), get(4, 5, 'a')],
    ],
    [
      'of a read during a write that returns the new value',
      [put(1, 2, 'a'), put(3, 6, 'b'), get(4, 5, 'b')],
    ],
    [
      'of two concurrent writes that take effect in reverse order',
      [put(1, 4, 'a'), put(2, 3, 'b'), get(5, 6, 'a')],
    ],
    ['of a write without a response that took effect', [put(1, undefined, 'a'), get(2, 3, 'a')]],
    [
      'of a write without a response that took no effect',
      [put(1, undefined, 'a'), get(2, 3, undefined)],
    ],
    [
      'of a write without a response that takes effect later',
      [put(1, undefined, 'a'), get(2, 3, undefined), get(4, 5, 'a')],
    ],
    [
      'of three conditional writes of which one succeeds',
      ['a', 'b', 'c'].map((text, index) =>
        put(1 + index, 9 + index, text, { ifNoneMatch: '*' }, text === 'b' ? 200 : 412),
      ),
    ],
  ])('the linearizability checker accepts a history %s', (_, history) => {
    const order = linearize(history, objectModel);
    expect(order?.length).toBeGreaterThanOrEqual(history.filter(({ end }) => end).length);
  });
});

describe('histories that the linearizability checker rejects', () => {
  test.each<[string, readonly Step[]]>([
    ['of a stale read', [put(1, 2, 'a'), put(3, 4, 'b'), get(5, 6, 'a')]],
    ['of a read of a value that is written later', [get(1, 2, 'a'), put(3, 4, 'a')]],
    ['of a read of a value that was never written', [put(1, 2, 'a'), get(3, 4, 'b')]],
    ['of a lost write', [put(1, 2, 'a'), get(3, 4, undefined)]],
    [
      'of a later read that returns an older value',
      [put(1, 2, 'a'), put(3, 10, 'b'), get(4, 5, 'b'), get(6, 7, 'a')],
    ],
    [
      'of two conditional writes that both succeed',
      ['a', 'b'].map((text, index) => put(1 + index, 9 + index, text, { ifNoneMatch: '*' })),
    ],
    [
      'of a lost update',
      [
        put(1, 2, 'a'),
        put(3, 6, 'b', { ifMatch: etagOf('a') }),
        put(4, 7, 'c', { ifMatch: etagOf('a') }),
      ],
    ],
    ['of a precondition failure without a cause', [put(1, 2, 'a', { ifNoneMatch: '*' }, 412)]],
    [
      'of a write without a response that is read and then not read',
      [put(1, undefined, 'a'), get(2, 3, 'a'), get(4, 5, undefined)],
    ],
    [
      'of a copy of a value that was overwritten before the copy started',
      [
        put(1, 2, 'a'),
        put(3, 4, 'b'),
        step(
          5,
          6,
          { kind: 'copy', key: 'l', source: 'k', conditions: {} },
          { status: 200, etag: etagOf('a') },
        ),
        get(7, 8, 'a', 'l'),
      ],
    ],
  ])('the linearizability checker rejects a history %s', (_, history) => {
    expect(linearize(history, objectModel)).toBeUndefined();
  });
});

test('the linearizability checker accepts any history of one register, and rejects it if one response is changed', async () => {
  const writes = fc.array(fc.record({ client: fc.nat(3), read: fc.boolean() }), {
    minLength: 5,
    maxLength: 25,
  });
  await fc.assert(
    fc.asyncProperty(writes, fc.nat(), async (steps, at) => {
      const recorder = new HistoryRecorder<ObjectCall, ObjectAnswer>();
      let state = objectModel.initial;
      for (const [index, { read }] of steps.entries()) {
        const call: ObjectCall = read
          ? { kind: 'get', key: 'k' }
          : { kind: 'put', key: 'k', text: String(index), conditions: {} };
        const next = objectModel.apply(state, call);
        state = next.state;
        await recorder.record(call, () => Promise.resolve(next.answer));
      }
      const { history } = recorder;
      expect(linearize(history, objectModel)).toHaveLength(steps.length);
      const index = at % history.length;
      const answer = { status: 200, text: 'of no call', etag: 'of no call' };
      const { call, beginsAt } = history[index] as Step;
      const wrong = { call, beginsAt, end: { at: beginsAt + 1, answer } };
      const changed = history.with(index, wrong);
      expect(linearize(changed, objectModel)).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});
