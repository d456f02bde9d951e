import { describe, expect, it } from 'vitest';

import { sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

/** A style rule that a pattern can check, with the reason for the rule. */
interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly reason: string;
  readonly except?: readonly string[];
  /** Folders to which the rule applies. By default it applies to all folders. */
  readonly folders?: readonly string[];
  readonly planted: string;
}

const IN_SOURCES: readonly Rule[] = [
  {
    name: 'time',
    pattern: /\bDate\.now\(|new Date\(\)|\bsetTimeout\(|\bsetInterval\(|\bperformance\.now\(/,
    reason: 'time comes in through base/clock.ts, so that tests can move it',
    except: ['src/base/clock.ts'],
    planted: 'const now = Date.now();',
  },
  {
    name: 'unfinished',
    pattern: /\b(TODO|FIXME|XXX)\b/,
    reason: 'unfinished work is reported by an error and a note, not by a comment',
    planted: '// TODO later',
  },
  {
    name: 'escape hatches',
    pattern: /\bas any\b|: any\b|@ts-(ignore|expect-error|nocheck)|oxlint-disable/,
    reason: 'parse unknown values at the boundary instead of using any',
    planted: 'const x = y as any;',
  },
  {
    name: 'places',
    pattern: /\.\.\/.*import\.meta\.|import\.meta\..*\.\.\//,
    reason:
      'the build puts all files into one folder (build.ts), so a file can find only files beside it by its path',
    planted: "const main = join(import.meta.dirname, '../main.js');",
  },
  {
    name: 'enums',
    pattern: /^\s*(export )?(const )?enum /m,
    reason: 'unions of strings need no code and print as they are',
    planted: 'export enum Colour { Red }',
  },
  {
    name: 'module state',
    pattern:
      /^(?:export )?(?:let|var) |^(?:export )?const \w+(?:: (?!Readonly)[^=]*)? =\s+(?:new (?!AbortController\b)|\[\];)/m,
    reason: 'state belongs to an object that the caller constructs; constant sets are ReadonlySet',
    folders: ['src/mirror', 'src/retention', 'src/restore', 'src/verification'],
    planted: 'const tallies = new WeakMap<StateFile, Tally>();',
  },
  {
    name: 'elements as arguments',
    pattern: /\b(?:push|unshift|min|max)\(\.\.\./,
    reason: 'a call with more than about 120,000 arguments fails, and a folder may have more files',
    folders: ['src/mirror'],
    planted: 'gathered.missing.push(...missing);',
  },
];

const IN_TESTS: readonly Rule[] = [
  {
    name: 'silenced tests',
    pattern: /\b(it|test|describe)\.(skip|only|todo)\b/,
    reason: 'a test that does not run is an unchecked claim',
    planted: 'it.skip("x", () => {})',
  },
  {
    name: 'module mocks',
    pattern: /\bvi\.(mock|doMock)\(/,
    reason: 'use real implementations, and pass doubles through the ports',
    planted: 'vi.mock("node:fs")',
  },
];

const EVERYWHERE: readonly Rule[] = [
  {
    name: 'paths of a machine',
    pattern: /\/work\/|\/root\//,
    reason: 'the project runs anywhere',
    planted: "const x = '/work/main';",
  },
];

function broken(rules: readonly Rule[], files: readonly SourceFile[]): string[] {
  return rules.flatMap((rule) =>
    files
      .filter(({ path, text }) => appliesTo(rule, path) && rule.pattern.test(text))
      .map((file) => `${file.path}: ${rule.name}: ${rule.reason}`),
  );
}

function appliesTo({ except, folders }: Rule, path: string): boolean {
  const isInside = folders?.some((folder) => path.startsWith(`${folder}/`)) ?? true;
  return isInside && !except?.includes(path);
}

const sources = sourceFiles('src', 'daemon', 'tui');
const tests = sourceFiles('test').filter((file) => !file.path.startsWith('test/tidy/'));

describe('the text of source files', () => {
  it.each([
    ['sources', IN_SOURCES, sources],
    ['tests', IN_TESTS, tests],
    ['all files', EVERYWHERE, [...sources, ...tests]],
  ])('no file breaks the text rules for %s', (_, rules, files) => {
    expect(broken(rules, files)).toEqual([]);
  });

  it.each([...IN_SOURCES, ...IN_TESTS, ...EVERYWHERE])(
    'the text rule about $name finds a violation',
    (rule) => {
      expect(
        broken([rule], [{ path: `${rule.folders?.[0] ?? 'src'}/x.ts`, text: rule.planted }]),
      ).toHaveLength(1);
    },
  );

  it('each source file begins with a comment about its subject', () => {
    const silent = sources.filter((file) => !/^(#!.*\n)?\/(\*\*|\/) ?\S*/.test(file.text));
    expect(silent.map((file) => file.path)).toEqual([]);
  });

  it('no source file has more than 350 lines', () => {
    const LIMIT_LINES = 350;
    const long = sources.filter((file) => file.text.split('\n').length > LIMIT_LINES);
    expect(long.map((file) => file.path)).toEqual([]);
  });
});
