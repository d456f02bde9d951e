/** Runs a piece of code without root's rights, which would see through every permission. */

import { execFileSync } from 'node:child_process';
import { lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The user `nobody` on every Linux. */
const NOBODY = '65534';

/** For `spawn`: who the child is to be, so that permissions mean something to it. */
export function ordinaryUser(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: Number(NOBODY), gid: Number(NOBODY) } : {};
}

/** Makes the folder and all in it the ordinary user's. */
export function giveToOrdinaryUser(folder: string): void {
  const { uid, gid } = ordinaryUser();
  if (uid === undefined || gid === undefined) return;
  lchownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), uid, gid);
}

/** What the module text `code` prints as JSON. Needs util-linux's setpriv when the tests run as root. */
export function runAsOrdinaryUser(code: string): unknown {
  const node = [process.execPath, '--input-type=module', '--eval', code];
  const drop = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const [command = '', ...args] = process.getuid?.() === 0 ? [...drop, ...node] : node;
  return JSON.parse(execFileSync(command, args, { encoding: 'utf8' }));
}

/** From here to the returned call this process itself is the ordinary user, who owns `folder` and all in it. */
export function becomeOrdinaryUser(folder: string): () => void {
  giveToOrdinaryUser(folder);
  const { uid } = ordinaryUser();
  if (uid === undefined) return () => undefined;
  process.seteuid?.(uid);
  return () => process.seteuid?.(0);
}
