/** Implements `holdfast s3 acl get|set|grant|revoke` for the ACLs of buckets and objects. */

import type { ControlClient } from '../../../control/client.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { EXIT, type ExitCode, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { eachPiece, piecesBelow } from './each-object.ts';
import { type AskedGrant, parseGrant, rightText, whomText } from '../../arguments/grants.ts';
import { tableLines } from '../../output/output.ts';
import { type VersionPlace, withThing } from '../../arguments/resolve-thing.ts';
import { folderOf } from '../../arguments/thing.ts';
import { shellWord, visible } from '../../output/text.ts';
import { report } from './transfer-report.ts';

export interface AclOptions {
  readonly versionId?: string;
}

export interface ChangeAclOptions extends AclOptions {
  readonly public?: boolean;
  readonly recursive?: boolean;
  readonly dryRun?: boolean;
}

type Acl = Result<'acl.get'>;
type AclPlace = Params<'acl.get'>;

/** The grant that `--public` adds. */
const PUBLIC: AskedGrant = { grantee: 'AllUsers', permission: 'READ' };

export async function getAcl(context: Context, typed: string, options: AclOptions): Promise<void> {
  const rules = { ifBoth: 'object', hasVersions: true, ...options } as const;
  const acl = await withThing(context, typed, rules, (daemon, place) =>
    daemon.call('acl.get', aclPlace(place)),
  );
  await print(context, acl);
}

/** Replaces an ACL with a canned ACL or with grants. Throws a usage error if both are given. */
export function setAcl(
  context: Context,
  typed: string,
  rights: readonly string[],
  options: ChangeAclOptions,
): Promise<ExitCode> {
  const [canned, ...more] = rights;
  const isNamed = canned !== undefined && !canned.includes(':');
  if (isNamed && (more.length > 0 || options.public)) {
    throw usageError(
      `cannot set the ACL: the canned ACL "${canned}" cannot be combined with grants`,
    );
  }
  const list = isNamed ? { canned } : { grants: [...grantsOf(rights, options)] };
  const isReading = isNamed ? CANNED_READ.test(canned) : list.grants?.some(grantsRead);
  const isNoted = isReading === true;
  return change(context, typed, { ...options, isNoted }, (daemon, place) =>
    daemon.call('acl.set', { ...place, ...list }),
  );
}

export function grantAcl(
  context: Context,
  typed: string,
  rights: readonly string[],
  options: ChangeAclOptions,
): Promise<ExitCode> {
  const grant = [...grantsOf(rights, options)];
  const isNoted = grant.some(grantsRead);
  return change(context, typed, { ...options, isNoted }, (daemon, place) =>
    daemon.call('acl.change', { ...place, grant, revoke: [], strict: true }),
  );
}

export function revokeAcl(
  context: Context,
  typed: string,
  rights: readonly string[],
  options: ChangeAclOptions,
): Promise<ExitCode> {
  const revoke = [...grantsOf(rights, options)];
  // With --recursive, some objects may not have the grant. Revoking it from them is not an error.
  const strict = options.recursive !== true;
  return change(context, typed, options, (daemon, place) =>
    daemon.call('acl.change', { ...place, grant: [], revoke, strict }),
  );
}

/** Matches the canned ACLs that allow users other than the owner to list a bucket. */
const CANNED_READ = /^(?:public-read|public-read-write|authenticated-read)$/;

function grantsRead({ permission }: AskedGrant): boolean {
  return permission === 'READ' || permission === 'FULL_CONTROL';
}

/** Prints a note that permission to read a bucket does not include permission to read its objects. */
async function noteObjects(context: Context, bucket: string): Promise<void> {
  const place = shellWord(visible(bucket));
  await context.remark(
    `note: this permits listing bucket ${visible(bucket)}, but not reading its objects; ` +
      `for the present objects: holdfast s3 acl grant ${place} RIGHT:WHOM --recursive; ` +
      `for later objects, too: holdfast s3 policy set ${place} FILE`,
  );
}

type Work = (daemon: ControlClient, place: AclPlace) => Promise<Acl>;

async function change(
  context: Context,
  typed: string,
  options: ChangeAclOptions & { readonly isNoted?: boolean },
  work: Work,
): Promise<ExitCode> {
  const { recursive, dryRun, versionId, isNoted } = options;
  if (dryRun && !recursive) throw usageError('cannot use --dry-run without --recursive');
  if (recursive && versionId !== undefined) {
    throw usageError('cannot use --version-id with --recursive');
  }
  return withThing(context, typed, { ifBoth: 'refuse', versionId }, async (daemon, place) => {
    if (!recursive) {
      await print(context, await work(daemon, aclPlace(place)));
      if (isNoted && place.key === '') await noteObjects(context, place.bucket);
      return EXIT.ok;
    }
    const from = folderOf(place);
    const transfer = await eachPiece(context, {
      title: 'setting rights',
      pieces: piecesBelow(daemon, from),
      dryRun,
      work: async ({ key }) => {
        await work(daemon, { bucket: from.bucket, key });
      },
    });
    const words = { did: 'set the ACL of', would: 'set the ACL of' };
    return report(context, transfer, { ...words, from });
  });
}

function grantsOf(
  rights: readonly string[],
  { public: isPublic }: ChangeAclOptions,
): readonly AskedGrant[] {
  const grants = [...rights.map(parseGrant), ...(isPublic ? [PUBLIC] : [])];
  if (grants.length > 0) return grants;
  throw usageError(
    'cannot change the ACL: no grant is given',
    'such as read:PROJECT@CUSTOMER, or --public',
  );
}

function aclPlace({ key, ...place }: VersionPlace): AclPlace {
  return key === '' ? place : { ...place, key };
}

async function print(context: Context, acl: Acl): Promise<void> {
  if (context.json) return context.out.json(acl);
  const { owner, grants } = acl;
  const columns = [{ title: 'RIGHT' }, { title: 'WHOM' }];
  const others = grants.filter(({ grantee }) => grantee !== owner);
  const rows = others.map(({ permission, grantee }) => [rightText(permission), whomText(grantee)]);
  await context.out.lines(
    `owner ${visible(owner)}: all users of that project have full permissions`,
    ...(rows.length > 0
      ? tableLines(columns, rows)
      : ['this ACL grants nothing to other projects']),
  );
}
