/** Converts paths in the user's home to and from shell notation. An empty home is ignored. */

/** Returns `~/Photos`. The text must be escaped before it is drawn. */
export function shortPath(path: string, userHome: string): string {
  if (userHome === '' || userHome === '/') return path;
  if (path === userHome) return '~';
  return path.startsWith(`${userHome}/`) ? `~${path.slice(userHome.length)}` : path;
}

/** Returns the full path of `~/Photos`. */
export function fullPath(path: string, userHome: string): string {
  return path === '~' || path.startsWith('~/') ? userHome + path.slice(1) : path;
}
