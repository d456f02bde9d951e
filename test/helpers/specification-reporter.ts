/**
 * Vitest reporter that checks that a test proves each row of test/SPECIFICATION.md. If a row has no
 * passing test, the run fails. The check is a reporter, because only the end of a run shows which
 * tests ran.
 */

import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { Reporter, TestModule, Vitest } from 'vitest/node';

import { parseStatements, type RanTest, unproven } from './specification.ts';

export default class SpecificationReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const vitest = this.#vitest;
    // The option `-t` skips most tests of a file, so that no row could be checked.
    if (!vitest || vitest.config.testNamePattern) return;
    const { root } = vitest.config;
    const statements = parseStatements(readFileSync(join(root, 'test/SPECIFICATION.md'), 'utf8'));
    const everythingRan = isWhole(modules, root);
    const problems = unproven(statements, ranTests(modules, root), { everythingRan });
    for (const problem of problems) vitest.logger.error(`test/SPECIFICATION.md: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
    else if (everythingRan) {
      vitest.logger.log(
        `test/SPECIFICATION.md: ${statements.length} rows, each proven by a test that ran`,
      );
    }
  }
}

/** Returns true if the run included every test file. */
function isWhole(modules: readonly TestModule[], root: string): boolean {
  const ran = new Set(modules.map(({ moduleId }) => relative(root, moduleId)));
  return globSync('test/**/*.test.ts', { cwd: root }).every((file) => ran.has(file));
}

function ranTests(modules: readonly TestModule[], root: string): readonly RanTest[] {
  return modules.flatMap((module) => {
    const file = relative(root, module.moduleId);
    return [...module.children.allTests()].map((test) => ({
      file,
      title: test.fullName,
      passed: test.result().state === 'passed',
    }));
  });
}
