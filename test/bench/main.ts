/**
 * `npm run bench [-- --full] [-- --json FILE]`: figures beside yardsticks measured in the same run. It
 * asserts nothing: a miss is printed as one. `--full` adds the sizes that take minutes.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { benchLatency } from './latency.ts';
import { benchMirror } from './mirror.ts';
import { print } from './row.ts';
import type { Row } from './row.ts';
import { benchStart } from './start.ts';
import { benchStorage } from './storage.ts';

const { values } = parseArgs({
  options: { full: { type: 'boolean', default: false }, json: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));

const parts: readonly (() => Promise<Row[]>)[] = [
  () => benchStorage(folder, values.full ? 100_000 : 20_000),
  () => benchMirror(folder, { files: 10_000, fileBytes: 4096 }),
  ...(values.full ? [() => benchMirror(folder, { files: 100_000, fileBytes: 1024 })] : []),
  () => benchLatency(folder, 100),
  () => benchStart(folder),
];

try {
  const rows: Row[] = [];
  for (const part of parts) {
    const found = await part();
    found.forEach(print);
    rows.push(...found);
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, undefined, 2)}\n`);
  const missed = rows.filter((each) => !each.met).length;
  process.stdout.write(
    `${rows.length} rows, ${rows.length - missed} goals met, ${missed} missed\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
