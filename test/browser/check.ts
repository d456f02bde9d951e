/** Types of the browser checks, and a comparison of visited pages. */

import { deepStrictEqual } from 'node:assert';

import type { Browser } from './chromium.ts';
import type { Page, Visited } from './page.ts';
import type { Site } from './site.ts';

export interface Given {
  readonly site: Site;
  readonly browser: Browser;
}

export interface Check {
  readonly claim: string;
  /** Runs the check in a new page that no other check has used. */
  readonly run: (page: Page, given: Given) => Promise<void>;
}

export interface Subject {
  readonly setUp: (site: Site) => Promise<void>;
  readonly checks: readonly Check[];
}

export function expectVisited(visited: Visited, expected: Partial<Visited>): void {
  const names = Object.keys(expected) as (keyof Visited)[];
  deepStrictEqual(Object.fromEntries(names.map((name) => [name, visited[name]])), expected);
}
