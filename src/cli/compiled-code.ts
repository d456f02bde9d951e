/**
 * Caches compiled code between runs, because compilation takes half of the time of a short command. Node executes
 * cached code without checking it, so no other user may be able to write to the cache directory. So the cache is not in
 * the shared temporary directory, which is Node's default. If root runs the command with another user's `HOME`, as
 * `sudo` may do, that home directory is not used either.
 */

import { mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** Enables Node's compile cache. If `ownCacheFolder` finds no safe directory, the cache stays disabled. */
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

/**
 * Creates and returns the cache directory. Returns undefined if another user could write to it, or if it cannot be
 * created.
 */
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
 * Returns whether only the caller and root can replace files in the directory. With the default value of `sticky`,
 * other users may add files to a directory that has the sticky bit. With `sticky` 0, which is used for the cache
 * directory itself, they may not.
 */
function isSafe(folder: string, uid: number | undefined, sticky = STICKY): boolean {
  const { uid: owner, mode } = statSync(folder);
  if (owner !== uid && owner !== 0) return false;
  return (mode & WRITABLE_BY_OTHERS) === 0 || (mode & sticky) !== 0;
}
