/**
 * Fuzz targets for `.holdfastignore` files. Any user who can write to a mirrored folder can create
 * such a file.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';

import { IGNORE_FILE, TreeRules } from '../../../../src/mirror/local/tree-rules.ts';
import { DOCUMENT_BUDGET_MS, type FuzzTarget } from '../target.ts';

const MAX_IGNORE_BYTES = 64 * 1024;
/** Maximum length of a path. A longer path is not a valid object key. */
const MAX_PATH_CHARACTERS = 1024;

let root: string | undefined;

/** Creates a temporary folder that is removed when this process ends. */
function temporaryRoot(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-ignore-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  return folder;
}

export const IGNORE_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'ignore file',
    budgetMs: DOCUMENT_BUDGET_MS,
    fields: {
      patterns: {
        valid: fc.constantFrom(
          '*.o\n!a.o\n',
          '**/a/b\n',
          'a/**/b\n',
          'a*b*c?\n',
          '/a/[a-z]*\n# x\n',
        ),
        tokens: [
          '**/',
          '/**',
          '**',
          '*',
          'a*',
          '?',
          '[!a]',
          '[',
          ']',
          '!',
          '\n',
          '\\',
          '#',
          'a/',
          '(',
          '{',
        ],
        maxLength: MAX_IGNORE_BYTES,
      },
      path: {
        valid: fc.constantFrom('a/b/c', 'a/a/a/b', 'aaaa', 'a.o', `${'a/'.repeat(30)}c`),
        tokens: ['a/', 'a', 'b', 'aaaa', '.', ' '],
        maxLength: MAX_PATH_CHARACTERS,
      },
    },
    prepare: ({ patterns = '', path = '' }) => {
      root ??= temporaryRoot();
      const rules = new TreeRules(root, 'keep');
      writeFileSync(join(root, IGNORE_FILE), patterns);
      rules.enter('', [IGNORE_FILE]);
      // Turns the text into a path that the file system supports.
      const names = path.split('/').filter((name) => name !== '' && name !== '.' && name !== '..');
      const asked = names.map((name) => name.replaceAll('\0', '').slice(0, 255) || 'x').join('/');
      return () => (asked === '' ? undefined : rules.verdict(asked, false));
    },
  },
];
