/**
 * `npm run ratchet`: lowers the numbers in `ratchet.json` to the current counts, or creates the
 * file. With paths as arguments, it lists all forbidden phrases in the files at these paths.
 */

import { existsSync } from 'node:fs';

import { countNames, filesOfProject, forbidden, readCounts } from './ratchet.ts';
import { RATCHET_FILE, risen, writeCounts } from './ratchet.ts';

const paths = process.argv.slice(2);
const files = filesOfProject();
const counts = countNames(files);
const more = existsSync(RATCHET_FILE) ? risen(counts, readCounts()) : [];

if (paths.length > 0) {
  const listed = forbidden(files.filter(({ path }) => paths.some((each) => path.startsWith(each))));
  for (const finding of listed) console.log(finding);
  console.log(`${listed.length} findings`);
} else if (more.length > 0) {
  console.error(`ratchet.json is not changed, because these have risen:\n${more.join('\n')}`);
  process.exitCode = 1;
} else writeCounts(counts);
