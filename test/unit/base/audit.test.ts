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

it('the audit log covers only commands of the store and control methods that exist', () => {
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
  ['objects.delete', { bucket: 'box', key: 'k', bypassGovernance: true }],
  ['objects.delete', { target: 'far', bucket: 'box', key: 'k' }],
  ['retention.set', { target: 'far', bucket: 'box', bypassGovernance: true, dryRun: true }],
  ['hold.set', { target: 'far', bucket: 'box', legalHold: false, dryRun: true }],
  ['jobs.add', { folder: '/docs' }],
  ['constructor', {}],
])('the call %s with the request %j writes no audit line', (act, request) => {
  expect(linesOf(act, request)).toEqual([]);
});

it.each([
  ['objects.delete', { bucket: 'box', key: 'k', versionId: 'v', bypassGovernance: true }],
  ['retention.set', { bucket: 'box', key: 'k', retention: {}, bypassGovernance: true }],
  ['hold.set', { bucket: 'box', key: 'k', legalHold: false }],
  ['locks.set', { bucket: 'box', defaultRetention: undefined }],
])(
  'the call %s with the request %j at a target writes an audit line with its parameters',
  (act, request) => {
    const asked = { target: 'far', ...request };
    expect(linesOf(act, asked)).toEqual([[`${act}: done`, { ...asked, by: 'ann' }]]);
  },
);

it('the audit line of a bulk delete with a governance bypass at a target states the number of deleted versions', () => {
  const request = { target: 'far', bucket: 'box', objects: [{}, {}], bypassGovernance: true };
  expect(linesOf('objects.deleteMany', request)).toEqual([
    ['objects.deleteMany: done', { ...request, objects: 2, by: 'ann' }],
  ]);
});

it('a new job that takes over its destination writes an audit line', () => {
  const request = { folder: '/docs', target: 'far', bucket: 'box', takeOver: true };
  expect(linesOf('jobs.add', request)).toEqual([['jobs.add: done', { ...request, by: 'ann' }]]);
});

it('the audit line of a policy that is set at a target does not contain the policy', () => {
  expect(linesOf('policy.set', { target: 'far', bucket: 'box', policy: '{}' })).toEqual([
    ['policy.set: done', { target: 'far', bucket: 'box', by: 'ann' }],
  ]);
});
