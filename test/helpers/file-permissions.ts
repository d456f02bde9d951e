/**
 * Vitest global setup. If root runs the tests, it makes file permissions apply to the tests and
 * their child processes.
 */

import koffi from 'koffi';

const PR_CAPBSET_DROP = 24;
/**
 * Numbers of the capabilities CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH. They let root read and
 * write all files.
 */
const CAPABILITIES = [1, 2];

/**
 * Removes both capabilities from every process that this thread starts from now on. This process
 * keeps them.
 */
export function setup(): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  const prctl = koffi.load(null).func('int prctl(int option, ulong value)');
  for (const capability of CAPABILITIES)
    if (prctl(PR_CAPBSET_DROP, capability) !== 0)
      throw new Error(`drop capability ${capability}: error ${koffi.errno()} of the C library`);
}
