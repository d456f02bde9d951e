import { defineConfig } from 'vitest/config';

// One project a folder of test/, so that each can be run alone: `vitest run --project unit`.
const project = (name: string, testTimeout: number) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: testTimeout },
});

export default defineConfig({
  test: {
    pool: 'forks',
    // V8's baseline compiler crashes a worker process now and then (nodejs/node#62393, Node 24 and 26).
    execArgv: ['--no-sparkplug'],
    projects: [
      project('tidy', 30_000),
      project('unit', 15_000),
      project('contract', 30_000),
      project('wire', 30_000),
      project('fault', 120_000),
      project('scenario', 120_000),
      project('daemon', 120_000),
    ],
  },
});
