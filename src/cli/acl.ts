/** `holdfast acl get|set|grant|revoke`: what others may do with a bucket or an object. */

import { defined } from '../base/defined.ts';
import type { Result } from '../control/messages.ts';
import { usageError } from './command-error.ts';
import type { Context } from './context.ts';
import { type AskedGrant, parseGrant, rightText, whomText } from './grants.ts';
import { tableLines } from './output.ts';
import { parsePlace } from './place.ts';
import { visible } from './text.ts';

export interface AclOptions {
  readonly versionId?: string;
  readonly public?: boolean;
}

/** What `--public` stands for. */
const PUBLIC: AskedGrant = { grantee: 'AllUsers', permission: 'READ' };

export async function getAcl(context: Context, typed: string, options: AclOptions): Promise<void> {
  const place = placeOf(typed, options);
  await tell(context, await context.withDaemon((daemon) => daemon.call('acl.get', place)));
}

/** A list that has a name, or rights. */
export async function setAcl(
  context: Context,
  typed: string,
  rights: readonly string[],
  options: AclOptions,
): Promise<void> {
  const place = placeOf(typed, options);
  const [canned, ...more] = rights;
  const isNamed = canned !== undefined && !canned.includes(':');
  if (isNamed && (more.length > 0 || options.public)) {
    throw usageError(`set rights: "${canned}" is a whole list, to which nothing is added`);
  }
  const list = isNamed ? { canned } : { grants: [...grantsOf(rights, options)] };
  const set = { ...place, ...list };
  await tell(context, await context.withDaemon((daemon) => daemon.call('acl.set', set)));
}

export async function changeAcl(
  context: Context,
  typed: string,
  rights: readonly string[],
  options: AclOptions & { readonly change: 'grant' | 'revoke' },
): Promise<void> {
  const grants = [...grantsOf(rights, options)];
  const changed = { ...placeOf(typed, options), grant: [], revoke: [], [options.change]: grants };
  await tell(context, await context.withDaemon((daemon) => daemon.call('acl.change', changed)));
}

function grantsOf(
  rights: readonly string[],
  { public: isPublic }: AclOptions,
): readonly AskedGrant[] {
  const grants = [...rights.map(parseGrant), ...(isPublic ? [PUBLIC] : [])];
  if (grants.length > 0) return grants;
  throw usageError('read rights: there are none', 'such as read:PROJECT@CUSTOMER, or --public');
}

function placeOf(typed: string, { versionId }: AclOptions) {
  const { bucket, key } = parsePlace(typed);
  if (key === '' && versionId !== undefined) {
    throw usageError(`read "${typed}": a version is one of an object`, 'write BUCKET/KEY');
  }
  return { bucket, ...(key === '' ? {} : { key }), ...defined({ versionId }) };
}

async function tell(context: Context, acl: Result<'acl.get'>): Promise<void> {
  if (context.json) return context.out.json(acl);
  const { owner, grants } = acl;
  const columns = [{ title: 'RIGHT' }, { title: 'WHOM' }];
  const others = grants.filter(({ grantee }) => grantee !== owner);
  const rows = others.map(({ permission, grantee }) => [rightText(permission), whomText(grantee)]);
  await context.out.lines(
    `owner ${visible(owner)}: all users of that project have full rights`,
    ...(rows.length > 0 ? tableLines(columns, rows) : ['nobody else has any by this list']),
  );
}
