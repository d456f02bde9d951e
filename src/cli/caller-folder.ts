/** Where the caller stands: npm runs scripts in the package's root, not where it was called. */

import { dirname } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder that relative paths on the command line are meant from. `INIT_CWD` counts only while we still
 * are where npm put us: a script of somebody else that runs us from another folder means that folder.
 */
export function callerFolder(env: Environment, cwd: string): string {
  const manifest = env['npm_package_json'];
  const startedByNpm =
    env['npm_package_name'] === 'holdfast' && manifest !== undefined && dirname(manifest) === cwd;
  return (startedByNpm && env['INIT_CWD']) || cwd;
}
