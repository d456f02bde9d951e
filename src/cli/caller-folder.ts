/**
 * Finds the caller's working directory. npm runs scripts in the root of the package instead of the caller's directory.
 */

import { dirname } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the directory against which relative command-line paths are resolved. It is `INIT_CWD` only if `cwd` is the
 * root of the Holdfast package, because npm starts scripts there. A script of another package runs Holdfast in another
 * directory, and its relative paths refer to that directory.
 */
export function callerFolder(env: Environment, cwd: string): string {
  const manifest = env['npm_package_json'];
  const startedByNpm =
    env['npm_package_name'] === 'holdfast' && manifest !== undefined && dirname(manifest) === cwd;
  return (startedByNpm && env['INIT_CWD']) || cwd;
}
