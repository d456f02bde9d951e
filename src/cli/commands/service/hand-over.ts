/**
 * A key of the machine's store for one person: of a project of their own and without full access, so that whoever
 * runs as the person can store, and can neither bypass a lock nor touch the files.
 */

import { chmod, chown, mkdir, rename, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isControlError } from '../../../control/control-error.ts';
import type { ControlClient } from '../../../control/client.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { runTool } from './run-tool.ts';
import { STORE_HOME } from './systemd-units.ts';

export interface HandOver {
  /** The home of the store. */
  readonly home: string;
  /** The folder of the keys, where root alone may write: no link can lead a secret elsewhere. */
  readonly keys: string;
}

const USUAL: HandOver = { home: STORE_HOME, keys: '/etc/holdfast/keys' };
/** Everybody may pass, and nobody list. */
const KEYS_MODE = 0o711;

export interface HandedOver {
  readonly person: string;
  /** That the person alone may read. */
  readonly file: string;
  /** Where the key is good. */
  readonly endpoint: string;
}

/** A file that is there stays: its key works. Asks the store that runs. */
export async function handOverKey(
  context: Context,
  person: string,
  { home, keys }: HandOver = USUAL,
): Promise<HandedOver> {
  const file = join(keys, `${person}.json`);
  const { uid, gid } = await idsOf(context, person);
  const { resolveHome } = await import('../../../config/home.ts');
  const { connectControl } = await import('../../../control/client.ts');
  const { socketPath } = resolveHome({ homeFlag: home, env: {}, cwd: '/' });
  const clock = context.io.clock;
  const store = await connectControl({ socketPath, clientName: 'holdfast', clock });
  try {
    const { endpointUrl: endpoint } = await store.call('credentials', {});
    if (existsSync(file)) return { person, file, endpoint };
    const accessKeyId = await keyFor(store, person);
    const { secretAccessKey } = await store.call('credentials', { accessKeyId });
    await mkdir(keys, { recursive: true });
    await chmod(keys, KEYS_MODE);
    await chmod(dirname(keys), 0o755);
    const text = `${JSON.stringify({ accessKeyId, secretAccessKey })}\n`;
    // What has the name is the person's already: a crash in between costs a key that nobody has.
    const unfinished = `${file}.new`;
    await writeFile(unfinished, text, { mode: 0o400 });
    await chown(unfinished, uid, gid);
    await rename(unfinished, file);
    return { person, file, endpoint };
  } finally {
    store.close();
  }
}

async function keyFor(store: ControlClient, person: string): Promise<string> {
  const names = { user: person, project: person };
  await unlessThere(store.call('projects.add', { project: person, again: false }));
  const added = await unlessThere(
    store.call('users.add', { ...names, fullAccess: false, again: false }),
  );
  return (added ?? (await store.call('keys.add', names))).accessKeyId;
}

async function unlessThere<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made;
  } catch (error) {
    if (isControlError(error, 'Conflict')) return undefined;
    throw error;
  }
}

async function idsOf(context: Context, person: string) {
  const { stdout } = await runTool(context.io, ['getent', 'passwd', '--', person]);
  const [name, , uid, gid] = stdout.trim().split(':');
  if (name === person && /^[a-z_][a-z0-9_.-]*$/i.test(person)) {
    return { uid: Number(uid), gid: Number(gid) };
  }
  throw new CommandError(
    'NotFound',
    `give key to ${person}: there is no such user on this machine`,
  );
}
