import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { AdaptiveLimit, type Experience, type Turn } from '../../../src/client/concurrency.ts';

import { FakeClock } from '../../helpers/fake-clock.ts';

const MOST = 128;
/**
 * While responses are quick, the client raises the concurrency limit up to this value without
 * measuring the effect.
 */
const UNMEASURED = 64;

/** Acquires all free slots of the limit. */
async function fill(limit: AdaptiveLimit): Promise<Turn[]> {
  const { limit: room, running } = limit.state;
  return Promise.all(Array.from({ length: room - running }, () => limit.turn()));
}

/**
 * Requests twice as many slots as the limit, ends all with the same outcome and returns the new
 * limit.
 */
async function round(limit: AdaptiveLimit, experience: Experience): Promise<number> {
  const asked = Array.from({ length: 2 * limit.state.limit }, () => limit.turn());
  await Promise.all(asked.map(async (turn) => (await turn).end(experience)));
  return limit.state.limit;
}

describe('the limit on concurrent requests of a client', () => {
  test('the client starts at 16 concurrent requests and at most doubles the limit before it has measured the effect', async () => {
    const limit = new AdaptiveLimit(MOST, new FakeClock());
    expect(limit.state).toEqual({ limit: 16, running: 0, waiting: 0 });
    for (let rounds = 0; rounds < 20; rounds += 1) await round(limit, 'answered');
    expect(limit.state.limit).toBe(32);
  });

  test('the client does not raise the concurrency limit unless it is reached', async () => {
    const limit = new AdaptiveLimit(MOST, new FakeClock());
    for (let count = 0; count < 100; count += 1) (await limit.turn()).end('answered');
    expect(limit.state.limit).toBe(16);
  });

  test('the client halves the concurrency limit only once for all requests in flight', async () => {
    const limit = new AdaptiveLimit(MOST, new FakeClock());
    for (const expected of [8, 4, 2, 2]) {
      for (const turn of await fill(limit)) turn.end('overloaded');
      expect(limit.state.limit).toBe(expected);
    }
  });

  test('the client raises a halved concurrency limit by at most two per round of requests', async () => {
    const limit = new AdaptiveLimit(MOST, new FakeClock());
    for (const turn of await fill(limit)) turn.end('overloaded');
    const limits: number[] = [];
    for (let rounds = 0; rounds < 10; rounds += 1) limits.push(await round(limit, 'answered'));
    expect(limits.every((each, index) => each - (limits[index - 1] ?? 8) <= 2)).toBe(true);
    expect(limits.at(-1)).toBeGreaterThan(12);
    expect(limits.at(-1)).toBeLessThan(MOST);
  });

  test('the client does not change the concurrency limit because of an inconclusive outcome', async () => {
    const limit = new AdaptiveLimit(MOST, new FakeClock());
    expect(await round(limit, 'neither')).toBe(16);
  });

  test('the client never exceeds the concurrency limit and lets no caller wait while there is capacity', async () => {
    const step = fc.constantFrom('ask', 'answered', 'overloaded', 'neither', 'abort');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 300 }), async (steps) => {
        const limit = new AdaptiveLimit(8, new FakeClock());
        const running: Turn[] = [];
        const waiting: AbortController[] = [];
        for (const each of steps) {
          if (each === 'ask') {
            const abort = new AbortController();
            waiting.push(abort);
            limit.turn(abort.signal).then(
              (turn) => running.push(turn),
              () => undefined,
            );
          } else if (each === 'abort') waiting.shift()?.abort();
          else running.shift()?.end(each);
          await Promise.resolve();
          await Promise.resolve();
          const { state } = limit;
          expect(state.limit).toBeGreaterThanOrEqual(2);
          expect(state.limit).toBeLessThanOrEqual(8);
          if (state.waiting > 0) expect(state.running).toBeGreaterThanOrEqual(state.limit);
          expect(state.running).toBeLessThanOrEqual(8);
        }
      }),
    );
  });
});

describe('a service that handles a limited number of requests at once and queues the others', () => {
  const STEP_MS = 50;

  /** Number of callers that send requests at the same time. */
  const CALLERS = 140;

  function begin(latencyMs = 100) {
    const clock = new FakeClock();
    const limit = new AdaptiveLimit(MOST, clock);
    let freeAt: number[] = [];
    const call = async (): Promise<void> => {
      const turn = await limit.turn();
      freeAt.sort((a, b) => a - b);
      const doneAt = Math.max(clock.monotonic(), freeAt[0] ?? 0) + latencyMs;
      freeAt[0] = doneAt;
      await clock.sleep(doneAt - clock.monotonic());
      turn.end('answered');
      return call();
    };
    return {
      work: async (atOnce: number, ms: number): Promise<number[]> => {
        freeAt = Array.from({ length: atOnce }, (_, index) => freeAt[index] ?? 0);
        const limits: number[] = [];
        for (let passed = 0; passed < ms; passed += STEP_MS) {
          clock.advance(STEP_MS);
          for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
          limits.push(limit.state.limit);
        }
        return limits;
      },
      start: () => {
        for (let caller = 0; caller < CALLERS; caller += 1) void call();
      },
    };
  }

  test.each([10, 20])(
    'the client stops raising the concurrency limit once a service that handles %i requests at once is busy',
    async (atOnce) => {
      const { start, work } = begin();
      start();
      await work(atOnce, 10_000);
      const limits = await work(atOnce, 60_000);
      expect(Math.max(...limits)).toBeLessThan(MOST * 0.75);
      expect(Math.min(...limits)).toBeGreaterThanOrEqual(0.5 * atOnce);
    },
  );

  test('the client raises the concurrency limit to 64 if a busy service responds quickly, even without a measured effect', async () => {
    const { start, work } = begin();
    start();
    await work(10, 10_000);
    const limits = await work(10, 60_000);
    // The restored limit is an average of the limits near 64.
    expect(Math.min(...limits)).toBeGreaterThan(0.9 * UNMEASURED);
  });

  test('the concurrency limit stops growing below 64 if more requests only make responses slower', async () => {
    const { start, work } = begin(1_000);
    start();
    await work(10, 60_000);
    const limits = await work(10, 60_000);
    expect(Math.max(...limits)).toBeLessThan(UNMEASURED);
  });

  test('the client raises the concurrency limit to its maximum while the service is not saturated', async () => {
    const { start, work } = begin();
    start();
    await work(1_000, 10_000);
    expect((await work(1_000, 10)).at(-1)).toBe(MOST);
  });

  test('the client raises the concurrency limit again when the service gets faster', async () => {
    const { start, work } = begin();
    start();
    expect((await work(10, 20_000)).at(-1)).toBeLessThanOrEqual(UNMEASURED);
    expect((await work(200, 40_000)).at(-1)).toBe(MOST);
  });
});

describe('calls that wait for the concurrency limit', () => {
  test('the client starts waiting calls in the order of their arrival and skips cancelled calls', async () => {
    const limit = new AdaptiveLimit(2, new FakeClock());
    const turns = await fill(limit);
    const served: number[] = [];
    const abort = new AbortController();
    const asked = Array.from({ length: 5 }, (_, index) =>
      limit.turn(index === 2 ? abort.signal : undefined).then(
        (turn) => {
          served.push(index);
          turn.end('neither');
        },
        (error: unknown) => error,
      ),
    );
    const reason = new Error('enough');
    abort.abort(reason);
    for (const turn of turns) turn.end('neither');
    const outcomes = await Promise.all(asked);
    expect(served).toEqual([0, 1, 3, 4]);
    expect(outcomes[2]).toBe(reason);
    expect(limit.state).toMatchObject({ running: 0, waiting: 0 });
  });

  test('the client rejects waiting and later calls when the concurrency limit is closed', async () => {
    const limit = new AdaptiveLimit(2, new FakeClock());
    await fill(limit);
    const waiting = limit.turn().catch((error: unknown) => error);
    const reason = new Error('closed');
    limit.close(reason);
    expect(await waiting).toBe(reason);
    await expect(limit.turn()).rejects.toBe(reason);
  });

  test('the client frees only one slot of the concurrency limit if a request ends twice', async () => {
    const limit = new AdaptiveLimit(2, new FakeClock());
    const turn = await limit.turn();
    turn.end('neither');
    turn.end('neither');
    expect(limit.state.running).toBe(0);
  });
});
