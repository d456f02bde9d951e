/**
 * Mutations of the running mirror: the order of journal entries and requests, and the recovery of
 * requests whose result is unknown.
 */

import { type Mutation, testedMutations } from './mutation.ts';

export const REQUEST_MUTATIONS: readonly Mutation[] = [
  ...testedMutations('rounds/recover.ts', [
    [
      'a delete that was not sent is not recorded as sent',
      "head === 'absent' ? 'drop' : 'keep'",
      "'drop'",
      'scenario/mirror-interrupted',
      'stopped before it sent the request: a delete',
    ],
    [
      'a version with the id of a journal row is the result of its request',
      'if (own) {',
      'if (own && false) {',
      'scenario/mirror-crash-conflicts',
      'the conflict log lists each conflict once',
    ],
    [
      'a recovered version with wrong content is not recorded as mirrored',
      'if (await hasIntendedContent(row, { ...own, key }, destination, signal))',
      'if (true)',
      'scenario/mirror-copies',
      'followed by a stop',
    ],
    [
      'a recovered version gets the lock that its request did not confirm',
      'return settlePut(withUnconfirmedLock(row), own)',
      'return settlePut(row, own)',
      'scenario/mirror-lock-crash',
      'the response to the copy .* if its file was deleted',
    ],
    [
      'recovery records a version that an unconditional write replaced',
      'proveSettlement(await outcomeOf(row, context, signal), row, { ...context, signal })',
      'outcomeOf(row, context, signal)',
      'scenario/mirror-guards',
      'followed by a stop of the mirror',
    ],
    [
      'recovery ends the journal rows',
      'state.settle(settlements);',
      '',
      'scenario/mirror-crash-conflicts',
      'the conflict log lists each conflict once',
    ],
  ]),
  ...testedMutations('transfer/run-action.ts', [
    [
      'a request is recorded in the journal',
      'if (isRequest) await this.#begin(prepared.row);',
      '',
      'scenario/mirror-crash-conflicts',
      'the conflict log lists each conflict once',
    ],
    [
      'a request is recorded in the journal before it is sent',
      'if (isRequest) await this.#begin(prepared.row);',
      'if (isRequest) { const { row: late, send } = prepared; Object.assign(prepared, { send: async () => { const sent = await send(); await this.#begin(late); return sent; } }); }',
      'scenario/mirror-crash-conflicts',
      'the conflict log lists each conflict once',
    ],
    [
      'a request of unknown outcome is resolved before the next request of its key',
      'if (row && !isHandled(row, step)) this.#unresolved.set(row.key, row);',
      '',
      'scenario/mirror-unknown-outcome',
      'refused the HEAD request',
    ],
    [
      'a change is no longer held after it was carried out',
      'state.heldChanges.release(settlement.key);',
      '',
      'scenario/mirror-attack',
      'uploads a file that gets plain content',
    ],
  ]),
  ...testedMutations('transfer/replan.ts', [
    [
      'a request with a lost response is not counted as the write of another client',
      "if (sent.operation === 'put') {",
      'if (false) {',
      'scenario/mirror-guards',
      'just before a put with a lost response',
    ],
  ]),
  ...testedMutations('transfer/prove-outcome.ts', [
    [
      'an unconditional delete of a version that another client wrote is undone',
      "return operation === 'delete' || conflict",
      'return conflict',
      'scenario/mirror-guards',
      'removes its delete marker if another client wrote a version just before the delete',
    ],
    [
      'an unconditional put is undone if the user has to resolve the conflict',
      "conflict === 'ask' || ",
      '',
      'scenario/mirror-guards',
      'deletes its own upload if it overwrote a version',
    ],
    [
      'a version that an unconditional put replaced is recorded as a conflict',
      'return { ...proven, replacedContent: foreignVersion(below, row) };',
      'return proven;',
      'scenario/mirror-guards',
      'records conflicts with versions written just before',
    ],
    [
      'an unconditional put over equal content is not recorded as a conflict',
      'below.etag === baseline.etag || ',
      '',
      'scenario/mirror-guards',
      'records no conflict with a version of equal content',
    ],
  ]),
];
