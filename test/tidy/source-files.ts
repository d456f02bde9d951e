/** Reads the project's source files and documents for the tests in test/tidy. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SourceFile {
  /** Path relative to the repository's root, with `/` as separator. */
  readonly path: string;
  readonly text: string;
}

export const ROOT = join(import.meta.dirname, '../..');

function readFiles(folder: string, pattern: RegExp, recursive: boolean): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return { path: file.slice(ROOT.length + 1), text: readFileSync(file, 'utf8') };
    });
}

export function sourceFiles(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) => readFiles(folder, /\.tsx?$/, true));
}

export function documents(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) => readFiles(folder, /\.md$/, true));
}

/** Returns the documents, the sources and the example configuration in the repository's root. */
export function filesOfRoot(): SourceFile[] {
  return readFiles('.', /^(?:[A-Z]+\.md|[\w.-]+\.ts|config\.example\.yaml)$/, false);
}

export interface Import {
  readonly from: string;
  readonly dynamic: boolean;
  readonly typeOnly: boolean;
}

const STATIC = /^\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+\s+from\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

export function importsOf(text: string): Import[] {
  const statics = [...text.matchAll(STATIC)].map((match) => ({
    from: match[2] ?? '',
    dynamic: false,
    typeOnly: match[1] !== undefined,
  }));
  const dynamics = [...text.matchAll(DYNAMIC)].map((match) => ({
    from: match[1] ?? '',
    dynamic: true,
    typeOnly: false,
  }));
  return [...statics, ...dynamics];
}
