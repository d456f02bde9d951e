/** Measures the CPU time that a job needs for one changed file. Compares a large folder with a small folder. */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { ForwardingStore, type MirrorStore } from '../../src/object-store/mirror-store.ts';
import { openOwnStore } from './own-mirror.ts';
import { row, type Row } from './row.ts';

const SMALL_ENTRIES = 10;
const CHANGES = 20;
/** After the last request for a change, the job needs this time to write its state. */
const REST_MS = 60;

/** Makes one change in a folder. `index` is the number of the change. */
type Change = (folder: string, index: number) => void;

const KINDS: Readonly<Record<string, Change>> = {
  'saved in place': (folder, index) => writeFileSync(join(folder, '0'), `save ${index}`),
  'saved by an atomic rename': (folder, index) => {
    writeFileSync(join(folder, '.0.tmp'), `rename ${index}`);
    renameSync(join(folder, '.0.tmp'), join(folder, '0'));
  },
  created: (folder, index) => writeFileSync(join(folder, `new-${index}`), `new ${index}`),
  renamed: (folder, index) =>
    renameSync(join(folder, `new-${index}`), join(folder, `renamed-${index}`)),
  deleted: (folder, index) => rmSync(join(folder, `renamed-${index}`)),
};

export async function benchEvents(folder: string, entries: number): Promise<Row[]> {
  const root = join(folder, 'events-tree');
  const small = join(root, 'small');
  const large = join(root, 'large');
  makeFolder(small, SMALL_ENTRIES);
  makeFolder(large, entries);
  const { store, open, close } = await openOwnStore(folder, 'events');
  const watched = new WatchedStore(store);
  const written = () => watched.written();
  const mirror = await open(root, watched);
  mirror.start();
  await mirror.settled();
  const rows: Row[] = [];
  for (const [kind, change] of Object.entries(KINDS)) {
    const cpuMs = { small: 0, large: 0 };
    for (let index = 0; index < CHANGES; index += 1) {
      cpuMs.small += await cpuOf(() => change(small, index), written);
      cpuMs.large += await cpuOf(() => change(large, index), written);
    }
    const yardstick = { yardstick: `a folder of ${SMALL_ENTRIES}`, yardstickFigure: cpuMs.small };
    const name = `one file ${kind} in a folder of ${entries} entries: CPU`;
    rows.push(row(name, 'ms', { figure: cpuMs.large, ...yardstick }, { atMost: 1.5 }));
  }
  await mirror.close();
  await close();
  return rows;
}

function makeFolder(folder: string, entries: number): void {
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < entries; index += 1)
    writeFileSync(join(folder, String(index)), `${folder} ${index}`);
}

/** Returns the CPU time that a change costs until the job has uploaded it, in milliseconds. */
async function cpuOf(change: () => void, written: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  const done = written();
  change();
  await done;
  await systemClock.sleep(REST_MS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A store whose `written` resolves when the next write is complete and no other write is in progress. */
class WatchedStore extends ForwardingStore {
  #open = 0;
  #waiting: (() => void) | undefined;

  written(): Promise<void> {
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  override putObject(...call: Parameters<MirrorStore['putObject']>) {
    return this.#watch(super.putObject(...call));
  }

  protected override putInBulk(...call: Parameters<ForwardingStore['putInBulk']>) {
    return this.#watch(super.putInBulk(...call));
  }

  override copyObject(...call: Parameters<MirrorStore['copyObject']>) {
    return this.#watch(super.copyObject(...call));
  }

  override deleteObject(...call: Parameters<MirrorStore['deleteObject']>) {
    return this.#watch(super.deleteObject(...call));
  }

  async #watch<T>(write: Promise<T>): Promise<T> {
    this.#open += 1;
    try {
      return await write;
    } finally {
      this.#open -= 1;
      if (this.#open === 0) this.#waiting?.();
    }
  }
}
