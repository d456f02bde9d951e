import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

import { builtThreads } from './test/helpers/built-threads.ts';

/** Child processes of the tests run sources, too, and would strip their types again. Inherited by all processes of the run. */
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** The dashboard shows local times: its snapshots are of one zone. Inherited, too. */
process.env['TZ'] = 'UTC';

// One project a folder of test/, so that each can be run alone: `vitest run --project unit`.
const project = (name: string, testTimeout: number, isolate = true) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: testTimeout,
    isolate,
  },
});

/**
 * Files that leave their process as they found it share one: half of the processor time of a hundred small ones was to
 * load the same modules again.
 */
const SHARED = false;

export default defineConfig({
  plugins: [builtThreads()],
  test: {
    pool: 'forks',
    // Much of a test is waiting for a disk: every core has a process of its own.
    maxWorkers: '100%',
    globalSetup: './test/helpers/file-permissions.ts',
    reporters: ['default', './test/helpers/specification-reporter.ts'],
    projects: [
      project('tidy', 30_000),
      project('unit', 15_000, SHARED),
      project('contract', 30_000),
      project('wire', 30_000, SHARED),
      project('fault', 120_000),
      project('scenario', 120_000, SHARED),
      project('daemon', 120_000),
    ],
  },
});
