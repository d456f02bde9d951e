/**
 * Tests of Ctrl-C: the first stops the command, a copy within one second is ignored, and a later
 * one ends the process.
 */

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

test('a command ignores a second SIGINT within one second, because npm forwards a copy of each SIGINT', () => {
  const { clock, state, exit, signal } = caught();
  process.emit('SIGINT', 'SIGINT');
  expect(signal.aborted).toBe(true);
  clock.advance(999);
  process.emit('SIGINT', 'SIGINT');
  expect(exit).not.toHaveBeenCalled();
  expect(state.stderr).toBe('');
});

test('a command exits with 130 on a SIGINT one second after the first, even if copies arrived in between', () => {
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

test('a command does not force an exit on SIGTERM, on SIGHUP, or on the first SIGINT after one of these signals', () => {
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

test('a command calls the handler of SIGHUP, if one is set, without stopping the command', () => {
  const onHangup = vi.fn();
  const { signal } = caught(onHangup);
  process.emit('SIGHUP', 'SIGHUP');
  expect(onHangup).toHaveBeenCalledOnce();
  expect(signal.aborted).toBe(false);
});
