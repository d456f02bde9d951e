/** `npm run reference`: writes the generated files of docs/reference. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { FOLDER, referencePages } from './pages.ts';

for (const [name, text] of Object.entries(await referencePages()))
  writeFileSync(join(FOLDER, name), text);
