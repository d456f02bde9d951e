/** From an endpoint to a target: its name, and its secret in a file of its own. */

import { join } from 'node:path';

import { defined } from '../src/base/defined.ts';
import { errorMessage } from '../src/base/errors.ts';
import { bucketNameFor } from '../src/config/bucket-name.ts';
import type { TargetConfig } from '../src/config/config.ts';
import { type Credentials, writeCredentials } from '../src/config/credentials.ts';
import { addTarget } from '../src/config/edit.ts';
import { targetShape } from '../src/config/schema.ts';
import { ControlError } from '../src/control/control-error.ts';
import type { Params, Result } from '../src/control/messages.ts';
import { numbered } from './names.ts';
import type { Rooms, TargetEndpoint } from './rooms.ts';
import type { Settings } from './settings.ts';
import { isDown, targetRefusal } from './target-refusal.ts';

const MOST_SUFFIXES = 100;

type TargetSpec = Params<'targets.plan'>;

export interface TargetPlan {
  readonly target: TargetConfig;
  /** It is in the configuration, which says where its key lies. */
  readonly existing: boolean;
  readonly credentialsFile: string;
}

/** A target that is there already for this endpoint, or a new one. Changes nothing. */
export function planTarget(spec: TargetSpec, settings: Settings): TargetPlan {
  const { targets } = settings.current();
  const wanted = checked(spec, new Set(['local', ...targets.map((each) => each.name)]));
  const same = targets.filter(
    (each) =>
      each.endpoint === wanted.endpoint &&
      (each.protocol ?? wanted.protocol) === (wanted.protocol ?? each.protocol) &&
      each.region === wanted.region &&
      (wanted.caFile === undefined || each.caFile === wanted.caFile),
  );
  // Several targets can have the same endpoint.
  const known = same.find(({ name }) => name === spec.name) ?? same[0];
  if (known) {
    const { file } = known.credentials;
    if (file === undefined) throw elsewhere(wanted.endpoint);
    const target = { ...known, ...defined({ protocol: wanted.protocol }) };
    return { target, existing: true, credentialsFile: file };
  }
  // Before a key is written: that of the one that has the name must not be lost.
  if (targets.some(({ name }) => name === wanted.name)) throw isTaken(wanted);
  const file = join(settings.home.credentialsDir, `${wanted.name}.json`);
  return { target: { ...wanted, credentials: { file } }, existing: false, credentialsFile: file };
}

/** Tries the key before anything is written. */
export async function storeTarget(
  spec: TargetSpec,
  key: Credentials,
  { rooms, settings }: { readonly rooms: Rooms; readonly settings: Settings },
): Promise<Result<'targets.add'>> {
  const { target, existing, credentialsFile } = planTarget(spec, settings);
  const { name, endpoint } = target;
  const reason = await trial(rooms.checkTarget(target, key), { ...key, endpoint });
  // A key that could not be tried does not replace one that may be good.
  const isStored = !existing || reason === undefined;
  if (isStored) await writeCredentials(credentialsFile, key);
  // Of a known target the key may have been rotated, and this one is the newest: its jobs take it up.
  await settings.edit((home) => addTarget(home, target, existing));
  if (reason === undefined) return { name, existing };
  const consequence = isStored
    ? 'saved; the key and the protocol are checked at the first contact'
    : 'the key that is stored stays in use';
  return { name, existing, warning: `${consequence}: ${reason}` };
}

/** Why the key could not be tried: a service that is down now may still be a target. */
async function trial(
  checked: Promise<void>,
  asked: Parameters<typeof targetRefusal>[1],
): Promise<string | undefined> {
  try {
    await checked;
    return undefined;
  } catch (error) {
    if (!isDown(error)) throw targetRefusal(error, asked);
    return errorMessage(error);
  }
}

function elsewhere(endpoint: string): ControlError {
  const message = `add target ${endpoint}: it is there, and its key is in no file of Holdfast's`;
  return new ControlError('Conflict', message, {
    hint: 'change the key where `credentials` of config.yaml says, then run `holdfast config reload`',
  });
}

function isTaken({ name, endpoint }: TargetEndpoint): ControlError {
  return new ControlError('Conflict', `add target ${endpoint}: ${name} is another one's name`);
}

/** By the same rules as the configuration, before the name becomes a file's and the secret is written. */
function checked(
  { name, endpoint, region, protocol, caFile }: TargetSpec,
  taken: ReadonlySet<string>,
): TargetEndpoint {
  const host = URL.parse(endpoint)?.hostname ?? 'target';
  const { data, error } = targetShape.safeParse(
    defined({ name: name ?? freeName(host, taken), endpoint, region, protocol, caFile }),
  );
  if (data) return defined(data);
  const problems = error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new ControlError('BadRequest', `add target ${endpoint}: ${problems.join('; ')}`);
}

function freeName(host: string, taken: ReadonlySet<string>): string {
  for (const name of numbered(bucketNameFor(host), MOST_SUFFIXES)) {
    if (!taken.has(name)) return name;
  }
  throw new ControlError('Conflict', `name target ${host}: too many of that name; choose one`);
}
