/** Paths in the user's home, as the shell writes them. An empty home is none. */

/** `~/Photos`. Not yet safe to draw. */
export function shortPath(path: string, userHome: string): string {
  if (userHome === '' || userHome === '/') return path;
  if (path === userHome) return '~';
  return path.startsWith(`${userHome}/`) ? `~${path.slice(userHome.length)}` : path;
}

/** The path that is meant by `~/Photos`. */
export function fullPath(path: string, userHome: string): string {
  return path === '~' || path.startsWith('~/') ? userHome + path.slice(1) : path;
}
