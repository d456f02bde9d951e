/** Starts a control server on a temporary socket. Each test provides the handlers. */

import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { serveControl } from '../../daemon/control/control-server.ts';
import type { ControlHandlers } from '../../daemon/control/control-handlers.ts';
import type { ControlServer } from '../../daemon/control/control-server.ts';
import { EventLog } from '../../daemon/control/event-log.ts';
import { Streams } from '../../daemon/control/streams.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { connectControl } from '../../src/control/client.ts';
import type { ControlClient } from '../../src/control/client.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { METHODS } from '../../src/control/messages.ts';
import { FakeClock } from './fake-clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface ControlFixture {
  readonly socketPath: string;
  readonly clock: FakeClock;
  readonly events: EventLog;
  readonly streams: Streams;
  readonly server: ControlServer;
  readonly connect: () => Promise<ControlClient>;
}

type FixtureRooms = Pick<ControlFixture, 'events' | 'streams'>;

/** Starts the control server. Call it inside a test, because it registers its cleanup. */
export async function controlFixture(
  handlers: Partial<ControlHandlers> | ((rooms: FixtureRooms) => Partial<ControlHandlers>) = {},
  limits: { readonly eventsKept?: number; readonly bytesKept?: number } = {},
): Promise<ControlFixture> {
  const socketPath = join(temporaryFolder('control'), 'control.sock');
  const clock = new FakeClock();
  const events = new EventLog({ clock, ...limits });
  const streams = new Streams({ clock, logger: silentLogger });
  const server = await serveControl({
    socketPath,
    version: '1.2.3',
    handlers: {
      ...refusals(),
      ...streamHandlers(streams),
      ...(typeof handlers === 'function' ? handlers({ events, streams }) : handlers),
    },
    events,
    streams,
    clock,
    logger: silentLogger,
  });
  onTestFinished(() => server.close());
  const connect = async () => {
    const client = await connectControl({ socketPath, clientName: 'test', clock });
    onTestFinished(() => client.close());
    return client;
  };
  return { socketPath, clock, events, streams, server, connect };
}

function refusals(): ControlHandlers {
  const refuse = () => Promise.reject(new ControlError('Failed', 'not in this test'));
  const methods = Object.keys(METHODS).map((method) => [method, refuse]);
  return Object.fromEntries(methods) as ControlHandlers;
}

function streamHandlers(streams: Streams): Pick<ControlHandlers, 'objects.put.wait'> {
  return { 'objects.put.wait': ({ stream }) => streams.outcome(stream) };
}
