import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

import { builtThreads } from './test/helpers/built-threads.ts';

/** Child processes of the tests also run sources, and would strip their types again. All processes inherit the variable. */
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** The dashboard shows local times, and its snapshots need one time zone. All processes inherit the variable. */
process.env['TZ'] = 'UTC';

// One project for each folder of test/, so that it can run alone: `vitest run --project unit`.
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
 * Test files that do not change the state of their process share one, because loading the same modules again took half
 * of the CPU time of a hundred small files.
 */
const SHARED = false;

export default defineConfig({
  plugins: [builtThreads()],
  test: {
    pool: 'forks',
    // One process per core, because tests often wait for the disk.
    maxWorkers: '100%',
    globalSetup: './test/helpers/file-permissions.ts',
    reporters: ['default', './test/helpers/specification-reporter.ts'],
    projects: [
      project('tidy', 30_000, SHARED),
      project('unit', 15_000, SHARED),
      project('contract', 30_000, SHARED),
      project('wire', 30_000, SHARED),
      project('fault', 120_000),
      project('scenario', 120_000, SHARED),
      project('daemon', 120_000, SHARED),
    ],
  },
});
