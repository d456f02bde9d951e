/**
 * Gives a user of the machine an access key for the machine's store. The key belongs to a separate project for this
 * user and has no full access. So a program that runs as the user can store objects, but can neither bypass a lock nor
 * change the store's files.
 */

import { chmod, chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isControlError } from '../../../control/control-error.ts';
import type { ControlClient } from '../../../control/client.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { runTool } from './run-tool.ts';
import { STORE_HOME } from './systemd-units.ts';

export interface HandOver {
  /** The home folder of the store. */
  readonly home: string;
  /**
   * The directory of the key files. Only root may write to it, so no user can redirect a secret with a symbolic link.
   */
  readonly keys: string;
}

const USUAL: HandOver = { home: STORE_HOME, keys: '/etc/holdfast/keys' };
/** The mode of this directory. All users may open files in it, but only root may list it. */
const KEYS_MODE = 0o711;

export interface HandedOver {
  readonly person: string;
  /** The path of the key file. Only the user may read it. */
  readonly file: string;
  /** The endpoint of the store that accepts the key. */
  readonly endpoint: string;
}

/**
 * Creates a key in the running store and writes it to the user's key file. If the existing file has a key that the
 * store accepts, keeps it. Otherwise replaces it. Rejects with CommandError `NotFound` if the machine has no such user,
 * and with `Conflict` if the store's user is disabled.
 */
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
    if (await isAccepted(store, { file, person, now: clock.now() }))
      return { person, file, endpoint };
    const accessKeyId = await keyFor(store, person);
    const { secretAccessKey } = await store.call('credentials', { accessKeyId });
    await mkdir(keys, { recursive: true });
    await chmod(keys, KEYS_MODE);
    await chmod(dirname(keys), 0o755);
    const text = `${JSON.stringify({ accessKeyId, secretAccessKey })}\n`;
    // The file gets its final name only after the user owns it. A crash before that leaves a key in the store without a
    // file.
    const unfinished = `${file}.new`;
    await writeFile(unfinished, text, { mode: 0o400 });
    await chown(unfinished, uid, gid);
    await rename(unfinished, file);
    return { person, file, endpoint };
  } finally {
    store.close();
  }
}

interface KnownFile {
  readonly file: string;
  readonly person: string;
  readonly now: number;
}

/** Returns whether the file exists and contains a valid key of the user. */
async function isAccepted(
  store: ControlClient,
  { file, person, now }: KnownFile,
): Promise<boolean> {
  if (!existsSync(file)) return false;
  const { parseCredentials } = await import('../../../config/credentials-text.ts');
  const known = parseCredentials(await readFile(file, 'utf8'));
  const { keys } = await store.call('keys.list', {});
  const key = keys.find((each) => each.accessKeyId === known?.accessKeyId);
  if (key?.user !== person || key.project !== person) return false;
  if (key.disabled)
    throw new CommandError(
      'Conflict',
      `cannot give a key to ${person}: user ${person} of the store is disabled`,
      `to enable it: holdfast admin users enable ${person}:${person} --home ${STORE_HOME}`,
    );
  if (key.expiresAt !== undefined && key.expiresAt <= now) return false;
  const shown = await store.call('credentials', { accessKeyId: key.accessKeyId });
  return shown.secretAccessKey === known?.secretAccessKey;
}

/** Creates the project and the user if they do not exist. Returns the ID of a new key. */
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

/** Returns the user ID and the group ID of the user. */
async function idsOf(context: Context, person: string) {
  const { stdout } = await runTool(context.io, ['getent', 'passwd', '--', person]);
  const [name, , uid, gid] = stdout.trim().split(':');
  if (name === person && /^[a-z_][a-z0-9_.-]*$/i.test(person)) {
    return { uid: Number(uid), gid: Number(gid) };
  }
  throw new CommandError(
    'NotFound',
    `cannot create a key for ${person}: this machine has no such user`,
  );
}
