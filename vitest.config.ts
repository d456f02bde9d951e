import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

import { builtThreads } from './test/helpers/built-threads.ts';
import { useMemoryDisk } from './test/helpers/memory-disk.ts';

/**
 * Node caches compiled sources in this folder. Child processes inherit the variable, because they
 * also run sources and would strip their types again.
 */
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/**
 * The dashboard shows local times, so its snapshots need a fixed time zone. Child processes inherit
 * the variable.
 */
process.env['TZ'] = 'UTC';

useMemoryDisk();

// Creates a Vitest project for a folder of test/, which can run alone with `vitest run --project
// unit`.
const project = (name: string, testTimeout: number) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: testTimeout,
    // Test files share a process, so they must not change its state. Loading the same modules for each file took half
    // of the CPU time of a hundred small files.
    isolate: false,
  },
});

// Adds the setup file of the tests that share an engine.
const sharingAnEngine = ({ test, ...others }: ReturnType<typeof project>) => ({
  ...others,
  test: { ...test, setupFiles: './test/helpers/close-shared-engine.ts' },
});

export default defineConfig({
  plugins: [builtThreads()],
  test: {
    pool: 'forks',
    // More processes than cores, because the tests of daemons and faults often wait for processes, files and timers. With
    // one process per core, a fifth of the CPU time was unused.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    globalSetup: './test/helpers/file-permissions.ts',
    reporters: ['default', './test/helpers/specification-reporter.ts'],
    projects: [
      project('tidy', 30_000),
      project('unit', 15_000),
      project('contract', 30_000),
      project('wire', 30_000),
      project('fault', 120_000),
      sharingAnEngine(project('scenario', 120_000)),
      project('daemon', 120_000),
    ],
  },
});
