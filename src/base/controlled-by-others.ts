/**
 * Checks whether other users can replace a file that contains a secret or the path of a program, or that is itself a
 * program.
 */

interface Facts {
  readonly uid: number;
  readonly mode: number;
}

/** Functions of `node:fs`. The caller passes them, because modules in `src/base` do not import file functions. */
export interface FileFacts {
  readonly statSync: (path: string) => Facts;
  readonly realpathSync: (path: string) => string;
}

const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Returns why another user can replace the file, with a command that fixes it; returns undefined if no other user can.
 * The file and all folders above it must belong to this user or root, and other users must not have write permission on
 * the folders. The folders above the target of a symbolic link are checked too. `path` must be absolute. Throws system
 * errors.
 */
export function controlledByOthers(path: string, files: FileFacts): string | undefined {
  if (process.getuid === undefined) return undefined;
  const found = ownedByOther(path, files);
  if (found !== undefined) return found;
  const folders = new Set([...foldersAbove(path), ...foldersAbove(files.realpathSync(path))]);
  for (const folder of folders) {
    const { uid, mode } = files.statSync(folder);
    if (!isTrusted(uid))
      return `its folder ${folder} belongs to user ${uid}, who can replace it; run: cp -p '${path}' ~/ and use the copy`;
    if ((mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0)
      return `any user can replace it in its folder ${folder}; run: chmod o-w '${folder}'`;
  }
  return undefined;
}

/** Like `controlledByOthers`, but checks only the file or folder itself. */
export function ownedByOther(
  path: string,
  { statSync }: Pick<FileFacts, 'statSync'>,
): string | undefined {
  const own = process.geteuid?.();
  const { uid } = statSync(path);
  if (own === undefined || isTrusted(uid)) return undefined;
  const sudo = own === ROOT ? '' : 'sudo ';
  return `it belongs to user ${uid}, who can change it; run: ${sudo}chown ${own} '${path}'`;
}

function isTrusted(uid: number): boolean {
  return uid === ROOT || uid === process.geteuid?.();
}

/** Yields the folders above the path, up to the root folder. */
function* foldersAbove(path: string): Generator<string> {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    yield path.slice(0, end);
  yield '/';
}
