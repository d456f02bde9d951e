/** Parses the actions in policies: `s3:GetObject`, `s3:Get*`, `*`. They are case-insensitive (semantics B.6). */

import type { StepBudget } from '../../../base/step-budget.ts';
import { type Action, ACTIONS } from '../../action.ts';
import { malformedPolicy } from './malformed-policy.ts';
import { compilePattern } from './pattern.ts';

const PREFIX = 's3:';

/** Actions of S3 that Holdfast does not implement, in lowercase. A policy may name them, but they have no effect. */
const ACCEPTED_WITHOUT_EFFECT: ReadonlySet<string> = new Set([
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

/**
 * Returns the actions that the texts match or, with `except`, all other actions. Throws MalformedPolicy for an unknown
 * action, and StepLimitError if the comparisons exceed the step budget.
 */
export function parseActions(
  { texts, except }: { readonly texts: readonly string[]; readonly except: boolean },
  budget: StepBudget,
): ReadonlySet<Action> {
  const distinct = new Map(texts.map((each) => [each.toLowerCase(), each]));
  const named = new Set([...distinct.values()].flatMap((each) => matching(each, budget)));
  return except ? new Set(NAMES.flatMap(([name]) => (named.has(name) ? [] : name))) : named;
}

function matching(written: string, budget: StepBudget): readonly Action[] {
  const lower = written.toLowerCase();
  const name = lower.startsWith(PREFIX) ? lower.slice(PREFIX.length) : lower === '*' ? '*' : '';
  const pattern = compilePattern(name, { wildcards: true });
  const matches = (each: string) =>
    pattern?.matches(each, { valueOf: () => undefined, budget }) === true;
  const found = NAMES.flatMap(([action, each]) => (matches(each) ? action : []));
  if (found.length > 0 || [...ACCEPTED_WITHOUT_EFFECT].some(matches)) return found;
  throw malformedPolicy(`Policy has invalid action: ${JSON.stringify(written)}`);
}
