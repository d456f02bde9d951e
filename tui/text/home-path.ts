/**
 * Converts paths below the user's home directory to and from `~` notation. If the home directory is
 * unknown, paths are unchanged.
 */

/**
 * Returns a path below the home directory as `~/Photos`. The text must be escaped before it is
 * drawn.
 */
export function shortPath(path: string, userHome: string): string {
  if (userHome === '' || userHome === '/') return path;
  if (path === userHome) return '~';
  return path.startsWith(`${userHome}/`) ? `~${path.slice(userHome.length)}` : path;
}

/** Returns the full path for `~/Photos`. */
export function fullPath(path: string, userHome: string): string {
  return path === '~' || path.startsWith('~/') ? userHome + path.slice(1) : path;
}
