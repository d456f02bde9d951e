/**
 * `npm run ratchet`: lowers the numbers in `ratchet.json` to the current counts, or creates the
 * file. With paths as arguments, it lists all forbidden phrases in the files at these paths.
 */

import { existsSync } from 'node:fs';

import { count, describeFinding, filesOfProject, readTable } from './ratchet.ts';
import { RATCHET_FILE, risenInTotal, writeTable } from './ratchet.ts';

const paths = process.argv.slice(2);
const { table, findings } = count(filesOfProject());
const risen = existsSync(RATCHET_FILE) ? risenInTotal(table, readTable()) : [];

if (paths.length > 0) {
  const listed = [...findings.values()]
    .flat()
    .filter(({ path }) => paths.some((each) => path.startsWith(each)));
  for (const finding of listed) console.log(describeFinding(finding));
  console.log(`${listed.length} findings`);
} else if (risen.length > 0) {
  console.error(`ratchet.json is not changed, because these have risen:\n${risen.join('\n')}`);
  process.exitCode = 1;
} else writeTable(table);
