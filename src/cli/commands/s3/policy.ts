/**
 * Implements `holdfast s3 policy check` and `explain`, and formats the results of `policy get` and `public-access get`.
 */

import { defined } from '../../../base/defined.ts';
import type { Result } from '../../../control/messages.ts';
import { EXIT, type ExitCode, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { rightText, whomText } from '../../arguments/grants.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import { parseBucket } from '../../arguments/thing.ts';
import { readDocument } from '../../arguments/read-document.ts';
import { parseUser } from '../../arguments/storage-id.ts';
import { visible } from '../../output/text.ts';
import { countText } from '../../../text/amounts.ts';
import type { Answers } from '../../simple-call.ts';

export const POLICY_ANSWERS: Answers = {
  // The text of the policy is not reformatted, so that it can be edited and set again.
  'policy.get': ({ policy }) => [policy.replace(/\n$/, '')],
  'publicAccess.get': ({
    blockPublicAcls,
    ignorePublicAcls,
    blockPublicPolicy,
    restrictPublicBuckets,
  }) => [
    `new public ACLs             ${blockPublicAcls ? 'rejected' : 'accepted'}`,
    `grants in existing ACLs     ${ignorePublicAcls ? 'ignored' : 'apply'}`,
    `new public policies         ${blockPublicPolicy ? 'rejected' : 'accepted'}`,
    `grants in existing policy   ${restrictPublicBuckets ? 'ignored' : 'apply'}`,
  ],
};

export async function checkPolicy(
  context: Context,
  typed: string,
  file: string | undefined,
): Promise<ExitCode> {
  const bucket = parseBucket(typed);
  const policy = file === undefined ? undefined : await readDocument(context, file);
  const asked = { bucket, ...defined({ policy }) };
  const report = await context.withDaemon((daemon) => daemon.call('policy.check', asked));
  if (context.json) await context.out.json(report);
  else await context.out.lines(...reportLines(report));
  return report.problems.length === 0 ? EXIT.ok : EXIT.failed;
}

function reportLines({ problems, statements, isPublic }: Result<'policy.check'>): string[] {
  const open = isPublic ? ', open to everyone' : '';
  if (problems.length === 0) return [`in order: ${countText(statements, 'statement')}${open}`];
  return problems.map(({ statement, sid, message }) => {
    const name = sid === undefined ? '' : ` (${visible(sid)})`;
    const where = statement === undefined ? 'document' : `statement ${statement}${name}`;
    return `${where}: ${visible(message)}`;
  });
}

export interface ExplainOptions {
  readonly user?: string;
  readonly anonymous?: boolean;
  readonly versionId?: string;
  readonly from?: string;
  readonly http?: boolean;
  readonly condition?: readonly string[];
}

/** Prints whether an action is allowed and why. If it is denied, returns exit code 3 for use in scripts. */
export async function explainPolicy(
  context: Context,
  action: string,
  typed: string,
  options: ExplainOptions,
): Promise<ExitCode> {
  const { user, anonymous = false, versionId, from: sourceIp, http, condition = [] } = options;
  if (anonymous && user !== undefined) throw usageError('cannot use --user with --anonymous');
  const asked = {
    ...(user === undefined ? {} : parseUser(user)),
    ...defined({ sourceIp, secure: http ? false : undefined }),
    action,
    anonymous,
    conditions: Object.fromEntries(condition.map(parseCondition)),
  };
  const rules = { ifBoth: 'object', hasVersions: true, versionId } as const;
  const explained = await withThing(context, typed, rules, (daemon, { key, ...place }) =>
    daemon.call('policy.explain', { ...asked, ...place, ...(key === '' ? {} : { key }) }),
  );
  if (context.json) await context.out.json(explained);
  else await context.out.lines(...explainedLines(explained, typed));
  return explained.allowed ? EXIT.ok : EXIT.attention;
}

function parseCondition(written: string): [string, string] {
  const equals = written.indexOf('=');
  if (equals > 0) return [written.slice(0, equals), written.slice(equals + 1)];
  throw usageError(`invalid condition "${written}": write KEY=VALUE`, 'such as s3:prefix=photos/');
}

type Explained = Result<'policy.explain'>;

function explainedLines(explained: Explained, typed: string): string[] {
  const { allowed, who, action, exists } = explained;
  const asker = who === 'anonymous' ? 'everyone' : visible(who);
  return [
    `${allowed ? 'allowed' : 'denied'}: ${action} on ${visible(typed)} for ${asker}`,
    `by ${decidedBy(explained)}`,
    ...(exists
      ? []
      : ['the object does not exist; callers that may list the bucket get 404, all others 403']),
  ];
}

function decidedBy({ reason, statement, sid, grant, allowed }: Explained): string {
  if (reason === 'policy') {
    const name = sid === undefined ? '' : ` (${visible(sid)})`;
    const word = allowed ? 'allows' : 'denies';
    return `statement ${statement ?? ''}${name} of the policy, which ${word} it`;
  }
  if (grant)
    return `the ACL of the ${grant.on}: ${rightText(grant.permission)}:${whomText(grant.grantee)}`;
  return RULES[reason];
}

const RULES: Readonly<Record<Explained['reason'], string>> = {
  policy: 'a statement of the policy',
  grant: 'a grant of an ACL',
  owner: 'ownership',
  project: 'membership of the project that owns it',
  'owner-only': 'a rule of the service: only the owner may do it',
  privilege: 'a rule of the service: it requires full access in the project of the bucket',
  limit: 'a limit of the service: the policy cannot be evaluated for this request',
  nothing: 'no statement and no grant that allows it',
};
