import { expect, it } from 'vitest';

import { audit, AUDITED } from '../../../src/base/audit.ts';
import { type LogFields, silentLogger } from '../../../src/base/logger.ts';
import { METHODS } from '../../../src/control/messages.ts';
import type { CommandName } from '../../../src/engine/writes/commands/commands.ts';

const COMMANDS: readonly CommandName[] = [
  'deleteObject',
  'putRetention',
  'putLegalHold',
  'putLockConfiguration',
  'putBucketAcl',
  'putObjectAcl',
  'putBucketPolicy',
  'putPublicAccessBlock',
];

function linesOf(act: string, request: object): unknown[] {
  const lines: unknown[] = [];
  const info = (fields: LogFields, message: string) => lines.push([message, fields]);
  audit({ ...silentLogger, info }, act, { request, by: () => ({ by: 'ann' }) });
  return lines;
}

it('every audited act is a command of the store or a control method', () => {
  const methods = Object.keys(AUDITED).filter((act) => !COMMANDS.includes(act as CommandName));
  expect(methods.filter((act) => !Object.hasOwn(METHODS, act))).toEqual([]);
  expect(Object.keys(AUDITED)).toEqual(expect.arrayContaining([...COMMANDS]));
});

it.each(Object.keys(AUDITED).filter((act) => Object.hasOwn(METHODS, act)))(
  'the audit line of %s contains only parameters of the method, and no policy',
  (act) => {
    const names = Object.keys(METHODS[act as keyof typeof METHODS].params.shape);
    const request = Object.fromEntries(names.map((name) => [name, name]));
    const fields = AUDITED[act]?.(request) ?? {};
    expect(names).toEqual(expect.arrayContaining(Object.keys(fields)));
    expect(Object.keys(fields)).not.toContain('policy');
  },
);

it.each([
  ['acl.set', { bucket: 'box', canned: 'private' }],
  ['policy.set', { bucket: 'box', policy: '{}' }],
  ['deleteObject', { bucket: 'box', key: 'k', bypassGovernance: true }],
  ['putRetention', { bucket: 'box', key: 'k', bypassGovernance: false }],
  ['objects.list', { bucket: 'box' }],
  ['constructor', {}],
])('%s of %j writes no audit line', (act, request) => {
  expect(linesOf(act, request)).toEqual([]);
});

it('a policy set at a target writes an audit line without the policy', () => {
  expect(linesOf('policy.set', { target: 'far', bucket: 'box', policy: '{}' })).toEqual([
    ['policy.set: done', { target: 'far', bucket: 'box', by: 'ann' }],
  ]);
});
