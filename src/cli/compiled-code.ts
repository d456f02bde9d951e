/**
 * Caches compiled code between runs, because compiling takes half of the time of a short command. Node executes the cached
 * code unchecked. So the cache is only in a folder that no other user can write: not in the shared temporary folder, which
 * is Node's default, and not in the home of the user who called root.
 */

import { mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

export function keepCompiledCode(): void {
  const folder = ownCacheFolder({
    env: process.env,
    userHome: homedir(),
    uid: process.geteuid?.(),
  });
  if (folder !== undefined) enableCompileCache(folder);
}

interface Caller {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly uid: number | undefined;
}

/** Returns the cache folder, and creates it. Returns undefined if another user could write it, or if it cannot be created. */
export function ownCacheFolder({ env, userHome, uid }: Caller): string | undefined {
  const given = env['XDG_CACHE_HOME'] ?? '';
  const caches = isAbsolute(given) ? given : join(userHome, '.cache');
  const folder = join(caches, 'holdfast');
  try {
    if (!isSafe(dirname(caches), uid)) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isSafe(caches, uid) && isSafe(folder, uid, 0) ? folder : undefined;
  } catch {
    return undefined;
  }
}

const STICKY = 0o1000;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Returns whether only the caller and root can replace files in a folder. With `sticky` 0, no other user may add files
 * either, as in the cache itself.
 */
function isSafe(folder: string, uid: number | undefined, sticky = STICKY): boolean {
  const { uid: owner, mode } = statSync(folder);
  if (owner !== uid && owner !== 0) return false;
  return (mode & WRITABLE_BY_OTHERS) === 0 || (mode & sticky) !== 0;
}
