/**
 * Finds the program that listens on a local TCP port, if the current user has permission to see it (Linux only).
 */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

import { errorCode } from '../base/errors.ts';

/** The state of a listening socket in `/proc/net/tcp`. */
const LISTENS = '0A';
/** Matches the path of Holdfast's main file, as installed by npm or in a checkout. */
const OWN_MAIN = /\/(?:bin\/holdfast|dist\/src\/cli\/main\.js)$/;

/** Returns the program, such as `nginx (pid 4711)`. Returns undefined if it is unknown. */
export function portHolder(port: number): string | undefined {
  const sockets = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listenersIn(table, port)),
  );
  if (sockets.size === 0) return undefined;
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  const pid = pids.find((each) => descriptorsOf(each).some((link) => sockets.has(link)));
  return pid && `${programOf(pid)} (pid ${pid})`;
}

/** Returns the name of a program. It does not use `comm`, because in Node programs that is the name of a thread. */
function programOf(pid: string): string {
  const [program = '', ...words] = textOf(`/proc/${pid}/cmdline`).split('\0');
  if (words.some((word) => OWN_MAIN.test(word))) return 'holdfast';
  return basename(program) || textOf(`/proc/${pid}/comm`).trim();
}

function listenersIn(table: string, port: number): string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return textOf(table)
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(wanted) && state === LISTENS)
    .map((columns) => `socket:[${columns[9]}]`);
}

function descriptorsOf(pid: string): string[] {
  const folder = `/proc/${pid}/fd`;
  return namesIn(folder).map((name) => unlessHidden(() => readlinkSync(`${folder}/${name}`), ''));
}

function namesIn(folder: string): string[] {
  return unlessHidden(() => readdirSync(folder), []);
}

function textOf(file: string): string {
  return unlessHidden(() => readFileSync(file, 'utf8'), '');
}

/** Returns `otherwise` if the system refuses the read because the process has ended or belongs to another user. */
function unlessHidden<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return otherwise;
  }
}
