/**
 * Finds the caller's working directory. npm runs scripts in the root of the package, not in the directory of the
 * caller.
 */

import { dirname } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the directory against which relative paths on the command line are resolved. This is `INIT_CWD` only while
 * `cwd` is still the root of the Holdfast package, where npm starts scripts. A script of another package runs Holdfast
 * from another directory, and its relative paths refer to that directory.
 */
export function callerFolder(env: Environment, cwd: string): string {
  const manifest = env['npm_package_json'];
  const startedByNpm =
    env['npm_package_name'] === 'holdfast' && manifest !== undefined && dirname(manifest) === cwd;
  return (startedByNpm && env['INIT_CWD']) || cwd;
}
