/** Ctrl-C: once stops in order, a forwarded copy of it does nothing, and a later one ends the process. */

import { Writable } from 'node:stream';

import { expect, onTestFinished, test, vi } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { catchInterrupts } from '../../../src/cli/interrupts.ts';

function caught(onHangup?: () => void) {
  const clock = new FakeClock();
  const state = { stderr: '' };
  const stderr = new Writable({
    write(chunk: Buffer, _, done) {
      state.stderr += chunk.toString();
      done();
    },
  });
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const interrupts = catchInterrupts(stderr, { onHangup, clock });
  onTestFinished(() => {
    interrupts.release();
    exit.mockRestore();
  });
  return { clock, state, exit, signal: interrupts.signal };
}

test('SIGINT twice within a second, as npm forwards that of the terminal, asks to stop once', () => {
  const { clock, state, exit, signal } = caught();
  process.emit('SIGINT', 'SIGINT');
  expect(signal.aborted).toBe(true);
  clock.advance(999);
  process.emit('SIGINT', 'SIGINT');
  expect(exit).not.toHaveBeenCalled();
  expect(state.stderr).toBe('');
});

test('SIGINT a second after the first ends the process with 130, however many copies came in between', () => {
  const { clock, state, exit } = caught();
  for (const after of [0, 400, 400]) {
    clock.advance(after);
    process.emit('SIGINT', 'SIGINT');
  }
  expect(exit).not.toHaveBeenCalled();
  clock.advance(200);
  process.emit('SIGINT', 'SIGINT');
  expect(exit).toHaveBeenCalledExactlyOnceWith(130);
  expect(state.stderr).toContain('second Ctrl-C');
});

test('SIGTERM and SIGHUP never force, and SIGINT after them asks once more', () => {
  const { clock, exit, signal } = caught();
  for (const name of ['SIGTERM', 'SIGHUP', 'SIGTERM', 'SIGINT', 'SIGINT'] as const) {
    process.emit(name, name);
  }
  expect(signal.aborted).toBe(true);
  expect(exit).not.toHaveBeenCalled();
  clock.advance(1000);
  process.emit('SIGINT', 'SIGINT');
  expect(exit).toHaveBeenCalledExactlyOnceWith(130);
});

test('SIGHUP reloads where it has that meaning, and stops nothing', () => {
  const onHangup = vi.fn();
  const { signal } = caught(onHangup);
  process.emit('SIGHUP', 'SIGHUP');
  expect(onHangup).toHaveBeenCalledOnce();
  expect(signal.aborted).toBe(false);
});
