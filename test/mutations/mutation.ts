/** A rule that is broken on purpose, and a copy of the sources that contains the broken rule. */

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Focus } from '../helpers/engine-cases.ts';

export interface Mutation {
  /**
   * Description of the rule in the correct sources. The output names a broken rule by this text.
   */
  readonly rule: string;
  /** Path of the source file, relative to `src/`. */
  readonly file: string;
  /** Text to replace. It must occur exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** Restricts the cases that the engine's property test generates, so that fewer cases suffice. */
  readonly focus?: Focus;
  /**
   * Tests that must detect the mutation if no property checks it. `title` is a pattern that their
   * names must match.
   */
  readonly tests?: { readonly file: string; readonly title: string };
}

type Row = readonly [rule: string, from: string, to: string];

/**
 * Creates the mutations of one source file from rows with the rule, the original text and the
 * replacement.
 */
export function mutationsOf(file: string, rows: readonly Row[]): Mutation[] {
  return rows.map(([rule, from, to]) => ({ rule, file, from, to }));
}

type TestedRow = readonly [...Row, suite: string, title: string];

/**
 * Creates the mutations of one file of the mirror. A test in the file `suite` whose name matches
 * `title` must detect each mutation.
 */
export function testedMutations(file: string, rows: readonly TestedRow[]): Mutation[] {
  return rows.map(([rule, from, to, suite, title]) => ({
    rule,
    file: `mirror/${file}`,
    from,
    to,
    tests: { file: `test/${suite}.test.ts`, title },
  }));
}

/** The parts of Vitest's JSON report that this file reads. */
interface TestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const ROOT = join(import.meta.dirname, '../..');

/**
 * Returns the text of the file in which the rule is broken. Throws an error unless the text to
 * replace occurs exactly once, because otherwise the mutation does not match the current sources.
 */
export function mutatedText({ rule, file, from, to }: Mutation): string {
  const [before = '', ...rest] = readFileSync(join(ROOT, 'src', file), 'utf8').split(from);
  if (rest.length !== 1)
    throw new Error(
      `change "${rule}": ${JSON.stringify(from)} occurs ${rest.length} times in ${file}`,
    );
  return before + to + rest[0];
}

/** A copy of parts of the project in which one rule is broken. */
export class Mutant {
  readonly #dir: string;

  /** Throws the error of `mutatedText`. */
  constructor(mutation: Mutation, copied: readonly string[]) {
    const text = mutatedText(mutation);
    this.#dir = mkdtempSync(join(tmpdir(), 'holdfast-mutant-'));
    for (const path of copied) cpSync(join(ROOT, path), join(this.#dir, path), { recursive: true });
    for (const shared of ['node_modules', 'package.json'])
      symlinkSync(join(ROOT, shared), join(this.#dir, shared));
    writeFileSync(join(this.#dir, 'src', mutation.file), text);
  }

  /** Imports a module of the copy. `path` is relative to `src/`. */
  async load<Module>(path: string): Promise<Module> {
    return (await import(pathToFileURL(join(this.#dir, 'src', path)).href)) as Module;
  }

  /**
   * Runs tests of the copy. Returns the errors of the failed tests, but not of tests that could not
   * run.
   */
  async runTests({ file, title }: NonNullable<Mutation['tests']>): Promise<readonly string[]> {
    const vitest = join(this.#dir, 'node_modules/vitest/vitest.mjs');
    const report = join(this.#dir, 'report.json');
    const output = ['--reporter=json', `--outputFile=${report}`];
    const chosen = ['run', file, '--testNamePattern', title, '--bail=1'];
    const args = [vitest, ...chosen, ...output];
    // A failed test also causes exit code 1, so only the report shows the result.
    await new Promise<void>((resolve) => {
      execFile(process.execPath, args, { cwd: this.#dir }, () => resolve());
    });
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as TestReport;
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    if (!results.some(({ status }) => status === 'passed' || status === 'failed'))
      throw new Error(`${file}: no test ran`);
    return results.flatMap(({ failureMessages }) => failureMessages);
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
