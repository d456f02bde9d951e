/** From an endpoint to a target: its name, and its secret in a file of its own. */

import { join } from 'node:path';

import { defined } from '../src/base/defined.ts';
import { bucketNameFor } from '../src/config/bucket-name.ts';
import type { TargetConfig } from '../src/config/config.ts';
import { writeCredentials } from '../src/config/credentials.ts';
import { targetShape } from '../src/config/schema.ts';
import { ControlError } from '../src/control/control-error.ts';
import type { Params } from '../src/control/messages.ts';
import type { Rooms, TargetEndpoint } from './rooms.ts';
import { numbered } from './names.ts';
import type { Settings } from './settings.ts';

const MOST_SUFFIXES = 100;

/** A target that is there already for this endpoint, or a new one. Its credentials are tried, then written. */
export async function planTarget(
  spec: Params<'targets.add'>,
  settings: Settings,
  check: Rooms['checkTarget'],
): Promise<{ readonly target: TargetConfig; readonly existing: boolean }> {
  const { targets } = settings.current();
  const wanted = checked(spec, new Set(['local', ...targets.map((each) => each.name)]));
  const known = targets.find(
    (each) =>
      each.endpoint === wanted.endpoint &&
      each.dialect === wanted.dialect &&
      each.region === wanted.region &&
      (wanted.caFile === undefined || each.caFile === wanted.caFile),
  );
  const file = known
    ? known.credentials.file
    : join(settings.home.credentialsDir, `${wanted.name}.json`);
  if (file === undefined) throw elsewhere(wanted.endpoint);
  // Of a known target too: the key may have been rotated, and this one is the newest.
  const { accessKeyId, secretAccessKey } = spec;
  await check(known ?? wanted, { accessKeyId, secretAccessKey });
  await writeCredentials(file, { accessKeyId, secretAccessKey });
  return known
    ? { target: known, existing: true }
    : { target: { ...wanted, credentials: { file } }, existing: false };
}

function elsewhere(endpoint: string): ControlError {
  const message = `add target ${endpoint}: it is there, and its key is in no file of Holdfast's`;
  return new ControlError('Conflict', message, {
    hint: 'change the key where `credentials` of config.yaml says, then run `holdfast config reload`',
  });
}

/** By the same rules as the configuration, before the name becomes a file's and the secret is written. */
function checked(
  { name, endpoint, region, dialect, caFile }: Params<'targets.add'>,
  taken: ReadonlySet<string>,
): TargetEndpoint {
  const host = URL.parse(endpoint)?.hostname ?? 'target';
  const { data, error } = targetShape.safeParse(
    defined({ name: name ?? freeName(host, taken), endpoint, region, dialect, caFile }),
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
