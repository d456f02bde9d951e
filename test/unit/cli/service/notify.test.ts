/**
 * Tests of the sd_notify messages to systemd over a real datagram socket, with the C library at
 * both ends.
 */

import { join } from 'node:path';

import koffi from 'koffi';
import { beforeAll, expect, it, onTestFinished } from 'vitest';

import { serviceManager } from '../../../../src/cli/commands/service/notify.ts';
import { FakeClock } from '../../../helpers/fake-clock.ts';
import { CapturedSink } from '../../../helpers/run-cli.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

beforeAll(() => {
  if (process.platform !== 'linux') throw new Error('hear sd_notify: only Linux has it');
});

const c = koffi.load(null);
const socket = c.func('int socket(int domain, int type, int protocol)');
const bind = c.func('int bind(int descriptor, const void *address, unsigned int size)');
const receive = c.func('long recv(int descriptor, _Out_ void *bytes, size_t size, int flags)');
const close = c.func('int close(int descriptor)');
const [AF_UNIX, SOCK_DGRAM, MSG_DONTWAIT] = [1, 2, 0x40];

/**
 * Binds a socket to `name` (a path, or an abstract name with a leading NUL). Returns a function
 * that returns the messages received since its last call.
 */
function listen(name: string): () => string[] {
  const address = Buffer.concat([
    Buffer.from(new Uint16Array([AF_UNIX]).buffer),
    Buffer.from(name),
  ]);
  const descriptor = socket(AF_UNIX, SOCK_DGRAM, 0) as number;
  expect(bind(descriptor, address, address.length)).toBe(0);
  onTestFinished(() => void close(descriptor));
  const bytes = Buffer.alloc(4_096);
  return () => {
    const heard: string[] = [];
    for (;;) {
      const size = receive(descriptor, bytes, bytes.length, MSG_DONTWAIT) as number;
      if (size < 0) return heard;
      heard.push(bytes.toString('utf8', 0, size));
    }
  };
}

function io(env: Readonly<Record<string, string>>) {
  const [stdout, stderr] = [new CapturedSink(), new CapturedSink()];
  const stdin = process.stdin;
  return { stdin, stdout, stderr, env, cwd: '/', clock: new FakeClock() };
}

it('the daemon sends READY once, WATCHDOG twice per watchdog interval, and finally STOPPING', async () => {
  const path = join(temporaryFolder('hf-notify'), 'notify');
  const heard = listen(path);
  const { clock, ...rest } = io({ NOTIFY_SOCKET: path, WATCHDOG_USEC: '10000000' });
  const manager = await serviceManager({ ...rest, clock });
  clock.advance(20_000);
  expect(heard()).toEqual([]);
  manager.ready();
  expect(heard()).toEqual(['READY=1', 'WATCHDOG=1']);
  clock.advance(15_000);
  expect(heard()).toEqual(['WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1']);
  manager.stopping();
  clock.advance(60_000);
  expect(heard()).toEqual(['STOPPING=1']);
});

it('the daemon sends the messages to an abstract socket', async () => {
  const name = `holdfast-test-${process.pid}`;
  const heard = listen(`\0${name}`);
  const manager = await serviceManager(io({ NOTIFY_SOCKET: `@${name}` }));
  manager.ready();
  expect(heard()).toEqual(['READY=1']);
});

it('the daemon sends no WATCHDOG message if WATCHDOG_PID names another process', async () => {
  const path = join(temporaryFolder('hf-notify'), 'notify');
  const heard = listen(path);
  const env = { NOTIFY_SOCKET: path, WATCHDOG_USEC: '1000000', WATCHDOG_PID: '1' };
  (await serviceManager(io(env))).ready();
  expect(heard()).toEqual(['READY=1']);
});

it.each([['/nobody/listens'], ['relative'], [`/${'a'.repeat(120)}`]])(
  'the daemon fails to start if it cannot send to the socket %s',
  async (path) => {
    await expect(serviceManager(io({ NOTIFY_SOCKET: path }))).rejects.toThrow(
      'cannot notify the service manager',
    );
  },
);

it('the daemon sends no message if NOTIFY_SOCKET is not set', async () => {
  const manager = await serviceManager(io({}));
  expect(() => manager.ready()).not.toThrow();
});
