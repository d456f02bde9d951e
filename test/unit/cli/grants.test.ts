import { describe, expect, it } from 'vitest';

import { parseGrant, rightText, whomText } from '../../../src/cli/arguments/grants.ts';
import { parseGroup, parseProject, parseUser } from '../../../src/cli/arguments/storage-id.ts';

describe('parsing and display of grants', () => {
  it.each([
    ['read:films@umbrella', { permission: 'READ', grantee: 'films@umbrella' }],
    ['write:films:eve@umbrella', { permission: 'WRITE', grantee: 'films:eve@umbrella' }],
    ['read-acl:authenticated', { permission: 'READ_ACP', grantee: 'AuthenticatedUsers' }],
    ['write-acl:everyone', { permission: 'WRITE_ACP', grantee: 'AllUsers' }],
    ['full:email:f@example.com', { permission: 'FULL_CONTROL', emailAddress: 'f@example.com' }],
    ['read:f@example.com', { permission: 'READ', grantee: 'f@example.com' }],
  ])('the command line parses the grant %s as %j', (text, grant) => {
    expect(parseGrant(text)).toEqual(grant);
  });

  it.each(['', 'read', ':x@y', 'READ:x@y', 'own:x@y', 'read:', 'read:films', 'constructor:x@y'])(
    'the command line refuses %j as a permission',
    (text) => {
      expect(() => parseGrant(text)).toThrow('invalid grant');
    },
  );

  it('the command line displays a grant in the syntax that users type', () => {
    expect([rightText('READ_ACP'), rightText('FULL_CONTROL')]).toEqual(['read-acl', 'full']);
    expect([whomText('AllUsers'), whomText('a:b@c')]).toEqual(['everyone', 'a:b@c']);
  });
});

describe('parsing of users, groups and projects', () => {
  it.each([
    ['ann', { user: 'ann' }],
    ['ann@example.com', { user: 'ann@example.com' }],
    ['photos:ann', { project: 'photos', user: 'ann' }],
    ['photos:ann@acme', { project: 'photos', user: 'ann', customer: 'acme' }],
    ['photos:a:b@c@acme', { project: 'photos', user: 'a:b@c', customer: 'acme' }],
  ])('the command line parses %s as the user or group %j', (text, names) => {
    expect(parseUser(text)).toEqual(names);
    const { user: group, ...rest } = names;
    expect(parseGroup(text)).toEqual({ group, ...rest });
  });

  it.each([
    ['photos', { project: 'photos' }],
    ['photos@acme', { project: 'photos', customer: 'acme' }],
    ['a@b@acme', { project: 'a@b', customer: 'acme' }],
  ])('the command line parses %s as the project %j', (text, names) => {
    expect(parseProject(text)).toEqual(names);
  });

  it.each(['', ':', ':ann', 'photos:', 'photos:@acme'])(
    'the command line refuses %j as a user',
    (text) => {
      expect(() => parseUser(text)).toThrow('cannot use "');
    },
  );

  it.each(['', '@acme', 'a:b', 'a:b@acme'])('the command line refuses %j as a project', (text) => {
    expect(() => parseProject(text)).toThrow('names no project');
  });
});
