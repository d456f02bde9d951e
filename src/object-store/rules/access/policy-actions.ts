/** What a policy writes as actions: `s3:GetObject`, `s3:Get*`, `*`; case does not count (semantics B.6). */

import { type Action, ACTIONS } from '../../action.ts';
import { malformedPolicy } from './malformed-policy.ts';
import { compilePattern } from './pattern.ts';

const PREFIX = 's3:';

/** Lower-case names of the protocol that nothing here asks for: a policy may name them, and they change nothing. */
const ASKED_BY_NOBODY: ReadonlySet<string> = new Set([
  'getaccelerateconfiguration',
  'getanalyticsconfiguration',
  'getbucketlogging',
  'getbucketnotification',
  'getbucketownershipcontrols',
  'getbucketrequestpayment',
  'getencryptionconfiguration',
  'getintelligenttieringconfiguration',
  'getinventoryconfiguration',
  'getmetricsconfiguration',
  'getobjecttorrent',
  'getobjectversionforreplication',
  'getobjectversiontorrent',
  'getreplicationconfiguration',
  'objectowneroverridetobucketowner',
  'putaccelerateconfiguration',
  'putanalyticsconfiguration',
  'putbucketlogging',
  'putbucketnotification',
  'putbucketownershipcontrols',
  'putbucketrequestpayment',
  'putencryptionconfiguration',
  'putintelligenttieringconfiguration',
  'putinventoryconfiguration',
  'putmetricsconfiguration',
  'putreplicationconfiguration',
  'replicatedelete',
  'replicateobject',
  'replicatetags',
  'restoreobject',
]);

const NAMES = (Object.keys(ACTIONS) as Action[]).map((name) => [name, name.toLowerCase()] as const);

/** Those that the policy is about; `except`: all but those written. Throws MalformedPolicy for what there is not. */
export function parseActions(written: readonly string[], except: boolean): ReadonlySet<Action> {
  const named = new Set(written.flatMap(matching));
  return except ? new Set(NAMES.flatMap(([name]) => (named.has(name) ? [] : name))) : named;
}

function matching(written: string): readonly Action[] {
  const lower = written.toLowerCase();
  const name = lower.startsWith(PREFIX) ? lower.slice(PREFIX.length) : lower === '*' ? '*' : '';
  const pattern = compilePattern(name, { wildcards: true });
  const matches = (each: string) => pattern?.matches(each, () => undefined) === true;
  const found = NAMES.flatMap(([action, each]) => (matches(each) ? action : []));
  if (found.length > 0 || [...ASKED_BY_NOBODY].some(matches)) return found;
  throw malformedPolicy(`Policy has invalid action: ${JSON.stringify(written)}`);
}
