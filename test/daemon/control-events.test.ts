import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { EventLog } from '../../daemon/control/event-log.ts';
import type { EventBody } from '../../daemon/control/event-log.ts';
import { Subscription } from '../../daemon/control/subscription.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { ControlClient } from '../../src/control/client.ts';
import { PROTOCOL_VERSION } from '../../src/control/version-mismatch.ts';
import type { DaemonEvent, MissedEvents } from '../../src/control/messages.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { parsedJson } from '../helpers/run-cli.ts';

const line = (text: string): EventBody => ({ type: 'log', line: text });
const lineOf = ({ event }: DaemonEvent) => (event.type === 'log' ? event.line : event.type);

/** Collects received events as text lines. `seen(n)` resolves with the first `n` lines. */
function listenTo(client: ControlClient) {
  const lines: string[] = [];
  let waiting: (() => void) | undefined;
  client.onEvent((event) => {
    lines.push(lineOf(event));
    waiting?.();
  });
  return {
    lines,
    async seen(count: number): Promise<string[]> {
      while (lines.length < count) {
        await new Promise<void>((resolve) => {
          waiting = resolve;
        });
      }
      return lines.slice(0, count);
    },
  };
}

describe('subscribers of control events', () => {
  it('a subscriber receives all later events in order', async () => {
    const { connect: open, events } = await controlFixture();
    events.append(line('before'));
    const client = await open();
    const heard = listenTo(client);
    expect(await client.subscribe()).toEqual({ seq: events.latest, missed: false });
    for (let index = 0; index < 100; index += 1) events.append(line(`${index}`));
    expect(await heard.seen(100)).toEqual(Array.from({ length: 100 }, (_, index) => `${index}`));
  });

  it('a subscriber that requests events after a sequence number receives every later event', async () => {
    const { connect: open, events } = await controlFixture();
    const [, second] = ['a', 'b', 'c', 'd'].map((text) => events.append(line(text)));
    const client = await open();
    const heard = listenTo(client);
    expect(await client.subscribe({ after: second?.seq })).toEqual({
      seq: events.latest,
      missed: false,
    });
    expect(await heard.seen(2)).toEqual(['c', 'd']);
    events.append(line('e'));
    expect(await heard.seen(3)).toEqual(['c', 'd', 'e']);
  });

  it.each([
    ['after a number that the daemon no longer stores', (seq: number) => seq - 3],
    ['after a number of an earlier daemon process', () => 17],
    ['after a number that does not exist yet', (seq: number) => seq + 1_000],
  ])('a subscriber that requests events %s is notified that it missed events', async (_, after) => {
    const { connect: open, events } = await controlFixture({}, { eventsKept: 2 });
    for (const text of ['a', 'b', 'c', 'd']) events.append(line(text));
    const client = await open();
    const heard = listenTo(client);
    expect((await client.subscribe({ after: after(events.latest) })).missed).toBe(true);
    expect(await heard.seen(2)).toEqual(['c', 'd']);
  });

  it('a subscriber that subscribes again receives no event twice', async () => {
    const { connect: open, events } = await controlFixture();
    const client = await open();
    const heard = listenTo(client);
    await client.subscribe();
    await client.subscribe();
    events.append(line('a'));
    events.append(line('b'));
    expect(await heard.seen(2)).toEqual(['a', 'b']);
  });

  it('a subscriber receives only the event types that it subscribed to', async () => {
    const { connect: open, events } = await controlFixture();
    const client = await open();
    const heard = listenTo(client);
    await client.subscribe({ types: ['log'] });
    events.append({ type: 'job.removed', name: 'a' });
    events.append(line('b'));
    expect(await heard.seen(1)).toEqual(['b']);
    await client.subscribe({ types: ['log', 'job.removed'] });
    events.append({ type: 'job.removed', name: 'c' });
    events.append(line('d'));
    expect(await heard.seen(3)).toEqual(['b', 'job.removed', 'd']);
  });

  it('a subscriber to warnings receives no activities below that level, but receives all other event types', async () => {
    const { connect: open, events } = await controlFixture();
    const client = await open();
    const heard = listenTo(client);
    const happen = (level: 'info' | 'warn' | 'error') =>
      events.append({ type: 'activity', job: 'a', level, action: 'put', message: level });
    await client.subscribe({ activityLevel: 'warn' });
    for (const level of ['info', 'warn', 'error'] as const) happen(level);
    events.append(line('b'));
    expect(await heard.seen(3)).toEqual(['activity', 'activity', 'b']);
    await client.subscribe();
    happen('info');
    events.append(line('c'));
    expect(await heard.seen(5)).toEqual(['activity', 'activity', 'b', 'activity', 'c']);
  });

  it('a subscriber that unsubscribes receives no more events', async () => {
    const { connect: open, events } = await controlFixture();
    const client = await open();
    const heard = listenTo(client);
    const others: string[] = [];
    const stop = client.onEvent((event) => others.push(lineOf(event)));
    await client.subscribe();
    events.append(line('a'));
    await heard.seen(1);
    stop();
    events.append(line('b'));
    await heard.seen(2);
    expect(others).toEqual(['a']);
  });

  it('a subscriber that does not read uses no memory beyond the event log, and misses the events that the log drops', async () => {
    const { socketPath, connect: open, events } = await controlFixture({}, { eventsKept: 10 });
    const socket = connect(socketPath);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.pause();
    const send = (message: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      socket.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    send({ id: 1, method: 'hello', params: { protocol: PROTOCOL_VERSION, client: 'slow' } });
    send({ id: 2, method: 'events.subscribe', params: { after: events.latest } });
    const quick = await open();
    const heard = listenTo(quick);
    await quick.subscribe();
    // Number of events of 100 kB, far more than the kernel can buffer for the slow subscriber. The
    // other subscriber receives all of them.
    const count = 100;
    for (let index = 0; index < count; index += 1) {
      events.append(line(`${index} ${'x'.repeat(100_000)}`));
      await heard.seen(index + 1);
    }
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.resume();
    while (!text.includes(`"line":"${count - 1} `)) await nextTurn();
    const missed = /"method":"events.missed","params":(\{[^}]*\})/.exec(text)?.[1] ?? '';
    const { after, next } = parsedJson(missed) as MissedEvents;
    expect(next - after).toBeGreaterThan(10);
    expect(text).toMatch(/"line":"0 /);
    expect(text.length).toBeLessThan(count * 100_000);
  });

  it('the client library notifies a subscriber that it missed events', async () => {
    const { connect: open, events } = await controlFixture({}, { eventsKept: 1 });
    const client = await open();
    const heard = listenTo(client);
    const missed = new Promise<MissedEvents>((resolve) => {
      client.onMissed(resolve);
    });
    const { seq } = await client.subscribe();
    // The test appends all events in one turn of the event loop. The subscriber cannot read the
    // first events before the log drops them.
    for (const text of ['a', 'b', 'c']) events.append(line(text));
    expect(await missed).toEqual({ after: seq, next: seq + 3 });
    expect(await heard.seen(1)).toEqual(['c']);
  });
});

describe('a renewed subscription with undelivered events', () => {
  /** Creates a subscription whose messages are sent only when the test releases them. */
  function slowSubscription() {
    const events = new EventLog({ clock: new FakeClock() });
    const sent: string[] = [];
    const leaving: (() => void)[] = [];
    const subscription = new Subscription({
      events,
      logger: silentLogger,
      gone: new AbortController().signal,
      ending: new AbortController().signal,
      send: async (_, params) => {
        sent.push(lineOf(params as DaemonEvent));
        await new Promise<void>((resolve) => {
          leaving.push(resolve);
        });
      },
    });
    const letAllLeave = async () => {
      for (let turn = 0; turn < 20; turn += 1) {
        for (const leave of leaving.splice(0)) leave();
        await nextTurn();
      }
    };
    return { events, subscription, sent, letAllLeave };
  }

  it('a renewed subscription delivers each event once, and the new event types only from the renewal on', async () => {
    const { events, subscription, sent, letAllLeave } = slowSubscription();
    subscription.renew({ types: ['log'] });
    await nextTurn();
    for (const text of ['a', 'b', 'c']) events.append(line(text));
    events.append({ type: 'job.removed', name: 'before' });
    await nextTurn();
    expect(sent).toEqual(['a']);
    subscription.renew({ types: ['log', 'job.removed'] });
    subscription.renew({ types: ['log', 'job.removed'] });
    events.append({ type: 'job.removed', name: 'behind' });
    events.append(line('d'));
    await letAllLeave();
    expect(sent).toEqual(['a', 'b', 'c', 'job.removed', 'd']);
  });

  it('a renewed subscription stops delivering event types that it no longer includes', async () => {
    const { events, subscription, sent, letAllLeave } = slowSubscription();
    subscription.renew({});
    await nextTurn();
    for (const text of ['a', 'b']) events.append(line(text));
    await nextTurn();
    subscription.renew({ types: ['job.removed'] });
    await letAllLeave();
    expect(sent).toEqual(['a']);
  });
});

describe('the event log', () => {
  it('the event log knows which event types have a subscriber', async () => {
    const log = new EventLog({ clock: new FakeClock() });
    expect(log.isWanted('log')).toBe(false);
    const abort = new AbortController();
    const subscriber = { event: async () => undefined, missed: async () => undefined };
    const wants = ({ type }: { readonly type: string }) => type === 'log';
    const following = log.follow(subscriber, { after: log.latest, wants, signal: abort.signal });
    expect([log.isWanted('log'), log.isWanted('activity')]).toEqual([true, false]);
    abort.abort();
    await following;
    expect(log.isWanted('log')).toBe(false);
  });

  it('the event log gives a slow subscriber only the newest event of a coalesced type, and all other events in order', async () => {
    const log = new EventLog({ clock: new FakeClock() });
    const start = log.latest;
    const abort = new AbortController();
    const returned: string[] = [];
    log.append(line('first'));
    for (const text of ['1', '2', '3']) log.appendNewest('n', line(text));
    log.append(line('last'));
    const following = log.follow(
      {
        event: async (event) => void returned.push(lineOf(event)),
        missed: async () => void returned.push('missed'),
      },
      { after: start, wants: () => true, signal: abort.signal },
    );
    await nextTurn();
    log.appendNewest('n', line('4'));
    await nextTurn();
    abort.abort();
    await following;
    expect(returned).toEqual(['first', '3', 'last', '4']);
  });

  it('the event log keeps only the last events, up to a maximum number and a maximum size', () => {
    const log = new EventLog({ clock: new FakeClock(), eventsKept: 5, bytesKept: 1_000 });
    const start = log.latest;
    for (let index = 0; index < 8; index += 1) log.append(line('x'));
    expect([2, 3].map((number) => log.hasMissed(start + number))).toEqual([true, false]);
    log.append(line('y'.repeat(950)));
    expect([7, 8].map((number) => log.hasMissed(start + number))).toEqual([true, false]);
  });

  it('the event log keeps the last event, however large it is', () => {
    const log = new EventLog({ clock: new FakeClock(), bytesKept: 10 });
    const { seq } = log.append(line('x'.repeat(100)));
    expect(log.hasMissed(seq - 1)).toBe(false);
  });

  it('the event log numbers events consecutively, and starts above the numbers of an earlier daemon', () => {
    const clock = new FakeClock();
    const earlier = new EventLog({ clock }).append(line('a'));
    clock.advance(60_000);
    const log = new EventLog({ clock });
    const numbers = ['a', 'b', 'c'].map((text) => log.append(line(text)).seq);
    expect(numbers).toEqual([log.latest - 2, log.latest - 1, log.latest]);
    expect(log.hasMissed(earlier.seq)).toBe(true);
  });

  it('the event log removes a subscriber whose signal is aborted, and keeps the other subscribers', async () => {
    const log = new EventLog({ clock: new FakeClock() });
    const returned: string[] = [];
    const follow = (name: string, signal: AbortSignal) =>
      log.follow(
        {
          event: async (event) => void returned.push(`${name} ${lineOf(event)}`),
          missed: async () => undefined,
        },
        { after: log.latest, wants: () => true, signal },
      );
    const [first, second] = [new AbortController(), new AbortController()];
    const following = [follow('first', first.signal), follow('second', second.signal)];
    log.append(line('a'));
    await nextTurn();
    first.abort();
    await following[0];
    log.append(line('b'));
    await nextTurn();
    second.abort();
    await following[1];
    expect(returned).toEqual(['first a', 'second a', 'second b']);
  });

  it('the event log takes the time of each event from its clock', () => {
    const clock = new FakeClock();
    expect(new EventLog({ clock }).append(line('a')).at).toBe(clock.now());
  });
});
