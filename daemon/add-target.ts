/** From an endpoint to a target: its name, and its secret in a file of its own. */

import { join } from 'node:path';

import type { TargetConfig } from '../src/config/config.ts';
import { readCredentials, writeCredentials } from '../src/config/credentials.ts';
import { ControlError } from '../src/control/control-error.ts';
import type { Params } from '../src/control/messages.ts';
import { bucketNameFor, numbered } from './names.ts';
import type { Settings } from './settings.ts';

const MOST_SUFFIXES = 100;
const DEFAULT_REGION = 'us-east-1';

/** A target that is there already for this endpoint and key, or a new one whose credentials are written. */
export async function planTarget(
  spec: Params<'targets.add'>,
  settings: Settings,
): Promise<{ readonly target: TargetConfig; readonly existing: boolean }> {
  const { accessKeyId, secretAccessKey } = spec;
  const endpoint = originOf(spec.endpoint);
  const dialect = spec.dialect ?? 'svc';
  const region = spec.region ?? DEFAULT_REGION;
  const { targets } = settings.current();
  const same = targets.find(
    (each) => each.endpoint === endpoint && each.dialect === dialect && each.region === region,
  );
  if (same) {
    await keepCredentials(same, spec);
    return { target: same, existing: true };
  }
  const taken = new Set(['local', ...targets.map((each) => each.name)]);
  const name = spec.name ?? freeName(new URL(endpoint).hostname, taken);
  const credentialsFile = join(settings.home.credentialsDir, `${name}.json`);
  await writeCredentials(credentialsFile, { accessKeyId, secretAccessKey });
  return { target: { name, endpoint, region, dialect, credentialsFile }, existing: false };
}

/** The key of a known target may be given anew, after a rotation: the file then holds the newest. */
async function keepCredentials(target: TargetConfig, spec: Params<'targets.add'>): Promise<void> {
  const { accessKeyId, secretAccessKey } = spec;
  const known = readCredentials(target.credentialsFile);
  if (known.accessKeyId === accessKeyId && known.secretAccessKey === secretAccessKey) return;
  await writeCredentials(target.credentialsFile, { accessKeyId, secretAccessKey });
}

function originOf(endpoint: string): string {
  const url = URL.parse(endpoint);
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search;
  if (isOrigin && !url.username && !url.password) return url.origin;
  throw new ControlError('BadRequest', `add target ${endpoint}: not an endpoint`, {
    hint: 'an endpoint is http://HOST:PORT or https://HOST, without a path or credentials',
  });
}

function freeName(host: string, taken: ReadonlySet<string>): string {
  for (const name of numbered(bucketNameFor(host), MOST_SUFFIXES)) {
    if (!taken.has(name)) return name;
  }
  throw new ControlError('Conflict', `name target ${host}: too many of that name; choose one`);
}
