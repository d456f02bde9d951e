/** Tests that a job knows the complete tree if it scans each path that its watch reports. */

import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { errorCode } from '../../../src/base/errors.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { createExcluder } from '../../../src/mirror/local/exclude.ts';
import { toEntry } from '../../../src/mirror/local/local-entry.ts';
import { scanFolder, scanTree } from '../../../src/mirror/local/scan.ts';
import type { LocalEntry } from '../../../src/mirror/model/types.ts';
import { type TreeWatch, watchTree } from '../../../src/mirror/local/tree/watch.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const LAST = 'last of all';

type Step =
  | { readonly kind: 'write'; readonly path: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }
  /** Lets the watch and the scans continue for one event loop turn. */
  | { readonly kind: 'turn' };

const paths = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('write'), path: paths }),
  fc.record({ kind: fc.constant('remove'), path: paths }),
  fc.record({ kind: fc.constant('folder'), path: paths }),
  fc.record({ kind: fc.constant('move'), path: paths, to: paths }),
  fc.record({ kind: fc.constant('turn') }),
);

/** Keeps a view of the tree that contains only the reported paths that it scanned. */
class Follower {
  readonly #root: string;
  readonly #view = new Map<string, string>();
  readonly #watch: TreeWatch;
  readonly #pending: string[] = [];
  readonly #excluder;
  #following = Promise.resolve();
  readonly #last = Promise.withResolvers<void>();

  constructor(root: string) {
    this.#root = root;
    this.#excluder = createExcluder({ root, patterns: [], protectedFolders: [] });
    this.#watch = watchTree({
      root,
      excluder: this.#excluder,
      clock: new FakeClock(),
      logger: silentLogger,
      onHint: (path) => {
        this.#pending.push(path);
        if (path === LAST) this.#last.resolve();
      },
      onOverflow: () => this.#pending.push(''),
    });
  }

  /** Scans the reported paths while the tree continues to change. */
  follow(): Promise<void> {
    this.#following = this.#following.then(() => this.#lookAtPending());
    return this.#following;
  }

  async #lookAtPending(): Promise<void> {
    for (let path = this.#pending.shift(); path !== undefined; path = this.#pending.shift())
      await this.look(path);
  }

  async look(path: string): Promise<void> {
    for (const known of this.#view.keys())
      if (path === '' || known === path || known.startsWith(`${path}/`)) this.#view.delete(known);
    const parent = path.includes('/') ? dirname(path) : '';
    const { entries } = await scanFolder(this.#root, path === '' ? '' : parent, this.#excluder);
    const entry = entries.find((each) => each.path === path);
    if (entry) this.#view.set(path, describeEntry(entry));
    if (path !== '' && entry?.kind !== 'directory') return;
    const beforeFolders = (directories: readonly string[]) => this.#watch.addFolders(directories);
    for await (const folder of scanTree(this.#root, path, this.#excluder, { beforeFolders }))
      for (const each of folder.entries) this.#view.set(each.path, describeEntry(each));
  }

  /**
   * Writes a last file and waits for its event. Events arrive in order, so that all earlier events
   * have then arrived.
   */
  async finish(): Promise<Record<string, string>> {
    writeFileSync(join(this.#root, LAST), '');
    await this.#last.promise;
    await this.follow();
    await this.#watch.close();
    this.#view.delete(LAST);
    return Object.fromEntries(this.#view);
  }
}

function describeEntry({ kind, sizeBytes, mtimeMs, inode }: LocalEntry): string {
  return kind === 'directory' ? `${kind} ${inode}` : `${kind} ${sizeBytes} ${mtimeMs} ${inode}`;
}

async function take(root: string, step: Step, count: number): Promise<void> {
  try {
    if (step.kind === 'turn') await setImmediate();
    else if (step.kind === 'write') writeFileSync(join(root, step.path), 'x'.repeat(count));
    else if (step.kind === 'remove') rmSync(join(root, step.path), { recursive: true });
    else if (step.kind === 'folder') mkdirSync(join(root, step.path), { recursive: true });
    else if (step.kind === 'move') renameSync(join(root, step.path), join(root, step.to));
  } catch (error) {
    // About half of the random steps are impossible in the current tree, so the file system rejects
    // them.
    if (errorCode(error) === undefined) throw error;
  }
}

function treeOf(root: string): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const stats = lstatSync(join(root, path));
    tree[path] = describeEntry(toEntry(path, stats.isDirectory() ? 'directory' : 'file', stats));
  }
  delete tree[LAST];
  return tree;
}

test('property: scanning each reported path yields the true tree after any writes, moves and removals', async () => {
  const folder = temporaryFolder();
  let run = 0;
  const property = fc.asyncProperty(fc.array(steps, { maxLength: 120 }), async (script) => {
    const root = join(folder, `${run++}`);
    mkdirSync(root);
    const follower = new Follower(root);
    await follower.look('');
    for (const [index, step] of script.entries()) {
      await take(root, step, index);
      if (step.kind === 'turn') void follower.follow();
    }
    expect(await follower.finish()).toEqual(treeOf(root));
  });
  await fc.assert(property, { numRuns: 40 });
});
