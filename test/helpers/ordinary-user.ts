/** Runs a piece of code without root's rights, which would see through every permission. */

import { execFileSync } from 'node:child_process';

/** The user `nobody` on every Linux. */
const NOBODY = '65534';

/** What the module text `code` prints as JSON. Needs util-linux's setpriv when the tests run as root. */
export function runAsOrdinaryUser(code: string): unknown {
  const node = [process.execPath, '--input-type=module', '--eval', code];
  const drop = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const [command = '', ...args] = process.getuid?.() === 0 ? [...drop, ...node] : node;
  return JSON.parse(execFileSync(command, args, { encoding: 'utf8' }));
}
