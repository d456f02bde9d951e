/** Explains what Holdfast does and shows the first keys, on the first screen until a job exists. */

import type { Area } from '../../widgets/layout.ts';
import { pad, wrap } from '../../text/width.ts';
import type { Look } from '../../theme/look.ts';

const WHAT =
  'Holdfast backs up folders to versioned buckets, which it can lock so that no backup can be deleted or overwritten for a time. ' +
  'It keeps every version of a file, holds back mass deletion until you approve it, and tests that files can be restored.';

const KEYS = [
  ['n', 'back up a folder: create a job'],
  ['2', 'look around: the buckets on this machine'],
  ['N', 'add another S3 service as a target'],
  ['t', 'restore files from a bucket: open it by its name'],
  ['?', 'all keys of this screen'],
  [':', 'search all commands and screens'],
  ['q', 'quit'],
] as const;

const KEY_CELLS = 4;

export function welcomeLines({ columns }: Area, look: Look): readonly string[] {
  const text = wrap(WHAT, Math.min(columns - 4, 90)).map((line) => `  ${line}`);
  const keys = KEYS.map(
    ([key, does]) =>
      `  ${look.paint('key', pad(key, KEY_CELLS))}${look.cut(does, columns - KEY_CELLS - 4)}`,
  );
  return [...text, '', ...keys];
}
