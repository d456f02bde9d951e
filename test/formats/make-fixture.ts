/**
 * Writes a fixture in the current format of a checkout. Every later version of Holdfast must be able to open it.
 *
 *     npm run fixture -- store           after a migration of the store
 *     npm run fixture -- home            after a migration of any other database
 *     npm run fixture -- config          before a release
 *     npm run fixture -- store --tree CHECKOUT      with the code of another commit
 *
 * Run the command once, in the commit that adds the format, and commit the result. Never create a fixture again,
 * because only the code of that commit writes exactly these files.
 */

import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { writeFixture } from './fixture.ts';
import { makeConfig } from './make-config.ts';
import { makeHome } from './make-home.ts';
import { makeStore } from './make-store.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tree: { type: 'string', default: '.' } },
});
const makers = { config: makeConfig, home: makeHome, store: makeStore };
const [kind = ''] = positionals;
if (kind !== 'config' && kind !== 'home' && kind !== 'store')
  throw new Error('make fixture: say which, `config`, `home` or `store`');

const tree = resolve(values.tree);
const commit = execFileSync('git', ['-C', tree, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const [name, fixture] = await makers[kind](tree);
const [path, sizeBytes] = writeFixture(name, { commit, ...fixture });
process.stdout.write(`${path}: ${sizeBytes} bytes\n`);
