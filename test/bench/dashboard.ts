/**
 * Measures the built dashboard with a real daemon and store. The limit for its start is a multiple of the time that
 * `node -e 0` takes. All other limits are fixed. The row for timer delays shows how much other load on the machine adds
 * to all figures.
 */

import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';

import { storeFolder } from '../../src/config/home.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { resolveHome } from '../../src/config/home.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import { openIdentity, ownUser } from '../../daemon/compose/compose-store.ts';
import { startDaemonProcess } from '../helpers/daemon-process.ts';
import { BenchTerminal, COLUMNS, ROWS } from './bench-terminal.ts';
import { load } from './load.ts';
import { nodeMs } from './processes.ts';
import { limited, median, percentile, row } from './row.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const LOADED_AT_A_TIME = 512;
const BUCKET = 'many';
/** The maximum time until the first frame appears, as a multiple of the time that `node -e 0` takes. */
const MAX_FIRST_FRAME = 5;
const MAX_FIRST_DATA = 8;
const MAX_IDLE_PERCENT = 0.2;
/** An idle dashboard must write nothing. One byte is less than the smallest write to a disk. */
const MAX_IDLE_BYTES = 1;
const MAX_LIVE_PERCENT = 6;
/** The maximum painting time, as a 95th percentile. */
const MAX_PAINT_MS = 20;
const MAX_RSS_MIB = 130;
const MAX_FRAME_KB = 3;
/** The maximum number of frames per second: four, and a tolerance for the measurement. */
const MAX_FRAMES = 4.2;
/** The interval between file changes. It results in ten changes per second. */
const EVENT_MS = 100;
/** The size of a file that takes two minutes to upload at the job's bandwidth limit. */
const MOVING_BYTES = 240_000_000;
/** The number of times that each key is pressed. */
const PRESSES = 15;
const MEASURED_MS = 20_000;
/**
 * The duration of the idle measurement. It is long because CPU time is counted in units of 10 ms, a twelfth of the CPU
 * budget for one minute.
 */
const IDLE_MS = 60_000;
/**
 * The delay until the last-minute chart no longer shows the jobs' first uploads. Until then, the chart changes and
 * causes redraws.
 */
const STILL_MS = 70_000;

export async function benchDashboard(folder: string, objects: number): Promise<Row[]> {
  const home = join(folder, 'home');
  const folders = makeHome(home, folder);
  await fill(home, objects);
  const daemon = await startDaemonProcess(home);
  try {
    const paints = await firstPaints(home);
    const terminal = new BenchTerminal(home);
    try {
      await terminal.waitFor(/still .*100/);
      await systemClock.sleep(STILL_MS);
      return named([
        ...paints,
        ...(await idle(terminal)),
        ...(await many(terminal, objects)),
        ...(await live(terminal, folders)),
      ]);
    } finally {
      await terminal.close();
    }
  } finally {
    await daemon.stop();
  }
}

async function idle(terminal: BenchTerminal): Promise<Row[]> {
  const before = terminal.writtenBytes();
  const percent = await terminal.cpuPercent(IDLE_MS);
  const written = terminal.writtenBytes() - before;
  return [
    limited('idle, CPU', '%', percent, MAX_IDLE_PERCENT),
    limited('idle, bytes written', 'B', written, MAX_IDLE_BYTES),
  ];
}

const named = (rows: readonly Row[]) =>
  rows.map((each) => ({ ...each, name: `dashboard, ${each.name}` }));

interface Folders {
  /** The folder of a job with a bandwidth limit, so that an upload runs during the whole measurement. */
  readonly moving: string;
  readonly busy: string;
}

function makeHome(home: string, folder: string): Folders {
  mkdirSync(home, { mode: 0o700 });
  const names = ['still', 'moving', 'busy'];
  const jobs = names.map((name) => {
    const path = join(folder, name);
    mkdirSync(path);
    writeFileSync(join(path, 'a.txt'), 'a\n');
    const slow = name === 'moving' ? ', bandwidth: 2MB/s' : '';
    return `  - {name: ${name}, folder: ${path}, bucket: ${name}${slow}}\n`;
  });
  const config = `storage: {port: 0}\njobs:\n${jobs.join('')}`;
  writeFileSync(join(home, 'config.yaml'), config, { mode: 0o600 });
  return { moving: join(folder, 'moving'), busy: join(folder, 'busy') };
}

/** Writes the objects directly to the store, before the daemon opens the store. */
async function fill(root: string, objects: number): Promise<void> {
  const home = resolveHome({ homeFlag: root, env: {}, cwd: root });
  const shared = { clock: systemClock, logger: silentLogger, region: 'us-east-1' };
  const dir = storeFolder(home);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const engine = await openEngine({ dir, ...shared });
  const identity = openIdentity(home, systemClock);
  const store = engine.as(internalCaller(identity.ensureFirstUser(ownUser()), systemClock.now()));
  await store.createBucket({ bucket: BUCKET });
  const body = bytesBody('x');
  await load(objects, LOADED_AT_A_TIME, (index) =>
    store.putObject({ bucket: BUCKET, key: objectKey(index), body }),
  );
  identity.close();
  await engine.close();
}

/** Returns the key of an object. All objects are in one folder, so that this folder's list is as long as possible. */
const objectKey = (index: number) => `IMG_${String(index).padStart(8, '0')}.jpg`;

async function firstPaints(home: string): Promise<Row[]> {
  const [bare, frames, data]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(nodeMs(['-e', '0']));
    const terminal = new BenchTerminal(home);
    frames.push(await terminal.shownMs('1 Dash'));
    data.push(await terminal.shownMs(/still .*100/));
    await terminal.close();
  }
  const beside = { yardstick: 'node -e 0', yardstickFigure: median(bare) };
  return [
    row('first frame', 'ms', { figure: median(frames), ...beside }, { atMost: MAX_FIRST_FRAME }),
    row(
      'first frame with data',
      'ms',
      { figure: median(data), ...beside },
      { atMost: MAX_FIRST_DATA },
    ),
  ];
}

/** Measures the dashboard in a bucket with very many objects: jumps to the end, filters the list, and jumps again. */
async function many(terminal: BenchTerminal, objects: number): Promise<Row[]> {
  terminal.type(`:bucket ${BUCKET}\r`);
  await terminal.waitFor('IMG_00000010.jpg');
  const first = await paints(terminal, ['j', PAGE_DOWN]);
  const startedAt = performance.now();
  const last = [await terminal.paintMs('G')];
  await terminal.waitFor(objectKey(objects - 1));
  const toEndMs = performance.now() - startedAt;
  const walk = await paints(terminal, ['gg', 'j', PAGE_DOWN, 'G', 'k', PAGE_UP]);
  terminal.type('gg');
  const filter: number[] = [];
  for (const key of `/${objects - 7}`.split('')) filter.push(await terminal.paintMs(key));
  terminal.type('\r');
  await terminal.waitFor(objectKey(objects - 7));
  terminal.type('\u{1b}');
  await terminal.quiet();
  terminal.type('gg');
  await terminal.waitFor('IMG_00000000.jpg');
  const after = await paints(terminal, ['j', PAGE_DOWN, 'k', PAGE_UP]);
  const rssMib = terminal.rssMib();
  terminal.type('1');
  const all = `${objects} objects`;
  return [
    ...latencies('key to paint', first),
    ...latencies(`key to paint, ${all}`, [...last, ...walk, ...filter, ...after]),
    row(`G reads all of ${all}`, 's', {
      figure: toEndMs / 1_000,
      yardstick: 'pages of 1,000',
      yardstickFigure: objects / 1_000,
    }),
    limited(`RSS after ${all}`, 'MiB', rssMib, MAX_RSS_MIB),
    ...(await noise()),
  ];
}

const PAGE_DOWN = '\u{1b}[6~';
const PAGE_UP = '\u{1b}[5~';

async function paints(terminal: BenchTerminal, keys: readonly string[]): Promise<number[]> {
  const tookMs: number[] = [];
  for (let each = 0; each < PRESSES * keys.length; each += 1) {
    tookMs.push(await terminal.paintMs(keys[each % keys.length] ?? ''));
  }
  return tookMs;
}

function latencies(name: string, tookMs: readonly number[]): Row[] {
  return [
    limited(`${name}, p50`, 'ms', percentile(tookMs, 0.5), MAX_PAINT_MS),
    limited(`${name}, p95`, 'ms', percentile(tookMs, 0.95), MAX_PAINT_MS),
  ];
}

const TIMERS = 200;

/**
 * Measures how late timers fire because of other load on the machine. Every painting time includes this delay, even if
 * painting itself costs nothing.
 */
async function noise(): Promise<Row[]> {
  const lateMs: number[] = [];
  for (let each = 0; each < TIMERS; each += 1) {
    const from = performance.now();
    await systemClock.sleep(1);
    lateMs.push(performance.now() - from - 1);
  }
  const yardstick = { yardstick: 'load average', yardstickFigure: loadavg()[0] ?? Number.NaN };
  const figure = percentile(lateMs, 0.95);
  return [row('noise: a timer is late by, p95', 'ms', { figure, ...yardstick })];
}

/** Measures the first screen while one job uploads a large file and another job uploads ten small files per second. */
async function live(terminal: BenchTerminal, { moving, busy }: Folders): Promise<Row[]> {
  await terminal.waitFor(/still .*100/);
  const large = openSync(join(moving, 'large.bin'), 'w');
  for (let at = 0; at < MOVING_BYTES; at += 1_000_000)
    writeSync(large, Buffer.alloc(1_000_000, `${at}`));
  closeSync(large);
  await terminal.waitFor('large.bin');
  let written = 0;
  const writing = setInterval(() => {
    written += 1;
    writeFileSync(join(busy, `file-${written % 50}.txt`), `${written}\n`);
  }, EVENT_MS);
  await terminal.waitFor(/busy put file-/);
  const [bytes, frames, from] = [terminal.bytes, terminal.frames, performance.now()];
  const percent = await terminal.cpuPercent(MEASURED_MS);
  clearInterval(writing);
  const drawn = terminal.frames - frames;
  return [
    limited(`live at ${COLUMNS}×${ROWS}, CPU`, '%', percent, MAX_LIVE_PERCENT),
    limited('live, bytes a frame', 'kB', (terminal.bytes - bytes) / drawn / 1_000, MAX_FRAME_KB),
    limited(
      'live, frames a second',
      '/s',
      (1_000 * drawn) / (performance.now() - from),
      MAX_FRAMES,
    ),
  ];
}
