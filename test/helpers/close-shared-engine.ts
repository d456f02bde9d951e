/** Vitest setup file of the tests that share an engine: closes it after each test file. */

import { afterAll } from 'vitest';

import { closeSharedEngine } from './shared-engine.ts';

afterAll(closeSharedEngine);
