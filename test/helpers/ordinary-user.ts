/** Runs code without root permissions, because root bypasses all file permissions. */

import { execFileSync } from 'node:child_process';
import { lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Numeric id of the user `nobody` on Linux. */
const NOBODY = '65534';

/** Returns uid and gid options for `spawn`, so that file permissions apply to the child process. */
export function ordinaryUser(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: Number(NOBODY), gid: Number(NOBODY) } : {};
}

/** Changes the owner of the folder and its contents to the unprivileged user. */
export function giveToOrdinaryUser(folder: string): void {
  const { uid, gid } = ordinaryUser();
  if (uid === undefined || gid === undefined) return;
  lchownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), uid, gid);
}

/**
 * Runs the module source `code` as an unprivileged user and returns its JSON output. Requires setpriv from util-linux
 * if the tests run as root.
 */
export function runAsOrdinaryUser(code: string): unknown {
  const node = [process.execPath, '--input-type=module', '--eval', code];
  const drop = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const [command = '', ...args] = process.getuid?.() === 0 ? [...drop, ...node] : node;
  return JSON.parse(execFileSync(command, args, { encoding: 'utf8' }));
}

/**
 * Runs this process as the unprivileged user, who becomes the owner of `folder`, until the returned function is
 * called.
 */
export function becomeOrdinaryUser(folder: string): () => void {
  giveToOrdinaryUser(folder);
  const { uid } = ordinaryUser();
  if (uid === undefined) return () => undefined;
  process.seteuid?.(uid);
  return () => process.seteuid?.(0);
}
