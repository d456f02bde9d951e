/**
 * Notifies the service manager with the sd_notify(3) protocol. It calls functions of the C library, because Node cannot
 * send datagrams to Unix sockets. A helper process such as `systemd-notify` would not work: with `NotifyAccess=main`,
 * systemd ignores messages from other processes.
 */

import { endianness } from 'node:os';

import type { Io } from '../../output/output.ts';
import { writeNote } from '../../output/output.ts';
import { CommandError } from '../../output/command-error.ts';

export interface ServiceManager {
  /**
   * Reports that the daemon is ready. From then on, also reports at half the watchdog interval that the daemon is
   * alive.
   */
  ready(): void;
  /** Reports that the daemon is stopping, and ends the watchdog reports. */
  stopping(): void;
}

const NO_MANAGER: ServiceManager = { ready: () => undefined, stopping: () => undefined };

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
/** Prevents child processes of the daemon from inheriting the socket. */
const SOCK_CLOEXEC = 0o2000000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
/** The size of `sun_path` on Linux. */
const MAX_PATH_BYTES = 108;

/**
 * Returns the connection to the service manager. If no manager expects notifications, the functions of the connection
 * do nothing. Throws CommandError if a manager expects notifications that cannot be sent, because the manager would
 * wait for them until its timeout.
 */
export async function serviceManager({ env, clock, stderr }: Io): Promise<ServiceManager> {
  const path = env['NOTIFY_SOCKET'];
  if (!path || process.platform !== 'linux') return NO_MANAGER;
  const send = await openSender(path);
  let cancel = () => undefined as void;
  const alive = (everyMs: number) => {
    try {
      send('WATCHDOG=1');
    } catch (error) {
      // The error is only printed, because the next message may succeed. If the manager receives no message in time, it
      // restarts the daemon.
      void writeNote(stderr, `${String(error)}\n`);
    }
    cancel = clock.after(everyMs, () => alive(everyMs));
  };
  return {
    ready() {
      send('READY=1');
      const everyMs = watchdogMs(env) / 2;
      if (everyMs > 0) alive(everyMs);
    },
    stopping() {
      cancel();
      send('STOPPING=1');
    },
  };
}

/**
 * Returns the milliseconds within which the manager expects a message from this process. Returns 0 if it expects no
 * messages.
 */
function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: Io['env']): number {
  const isOurs = WATCHDOG_PID === undefined || WATCHDOG_PID === String(process.pid);
  const microseconds = Number(WATCHDOG_USEC);
  return isOurs && microseconds > 0 ? microseconds / 1_000 : 0;
}

/** Opens the socket and returns a function that sends a state. Both throw CommandError. */
async function openSender(path: string): Promise<(state: string) => void> {
  const address = addressOf(path);
  const { default: koffi } = await import('koffi');
  const c = koffi.load(null);
  const socket = c.func('int socket(int domain, int type, int protocol)');
  const connect = c.func('int connect(int descriptor, const void *address, unsigned int size)');
  const write = c.func('long send(int descriptor, const void *bytes, size_t size, int flags)');
  const checked = (result: number): number => {
    if (result >= 0) return result;
    throw refused(path, `error ${koffi.errno()} of the C library`);
  };
  const descriptor = checked(socket(AF_UNIX, SOCK_DGRAM + SOCK_CLOEXEC, 0) as number);
  checked(connect(descriptor, address, address.length) as number);
  return (state) => {
    const bytes = Buffer.from(state);
    // MSG_DONTWAIT is set because a busy manager must not block the daemon.
    const flags = MSG_DONTWAIT + MSG_NOSIGNAL;
    checked(write(descriptor, bytes, bytes.length, flags) as number);
  };
}

/** Returns the `sockaddr_un` of the path. A leading `@` stands for the NUL byte at the start of an abstract name. */
function addressOf(path: string): Buffer {
  const name = Buffer.from(path);
  const isAbstract = path.startsWith('@');
  if (!isAbstract && !path.startsWith('/')) throw refused(path, 'it is not an absolute path');
  if (name.length >= MAX_PATH_BYTES) throw refused(path, 'it is too long');
  if (isAbstract) name[0] = 0;
  const family = Buffer.alloc(2);
  if (endianness() === 'LE') family.writeUInt16LE(AF_UNIX);
  else family.writeUInt16BE(AF_UNIX);
  return Buffer.concat([family, name, Buffer.alloc(isAbstract ? 0 : 1)]);
}

function refused(path: string, reason: string): CommandError {
  return new CommandError(
    'ServiceManager',
    `cannot notify the service manager at ${path}: ${reason}`,
  );
}
