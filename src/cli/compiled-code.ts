/**
 * Compiled code is kept between two calls: half of a short command's time goes into compiling what it imports. It is run as
 * it is found, so it is kept only where nobody else can put any: not in the common temporary folder, which is Node's
 * default, nor in the home of the user that root was called by.
 */

import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

// Imported, it would bring all of its parts, streams and promises, which take longer than what is asked of it here.
const { mkdirSync, statSync } = process.getBuiltinModule('node:fs');

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

/** Made where there is none yet; undefined where it would not be the caller's own, or cannot be made: nothing is lost then. */
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
 * Whether only the caller and root can replace what is in this folder. `sticky`: 0 where no other user may add anything
 * either, since Node runs what it finds in the cache itself.
 */
function isSafe(folder: string, uid: number | undefined, sticky = STICKY): boolean {
  const { uid: owner, mode } = statSync(folder);
  if (owner !== uid && owner !== 0) return false;
  return (mode & WRITABLE_BY_OTHERS) === 0 || (mode & sticky) !== 0;
}
