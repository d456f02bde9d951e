import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

import { describe, expect, it, vi } from 'vitest';

import { Answers } from '../../../src/cli/arguments/answers.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { CapturedSink } from '../../helpers/run-cli.ts';

const CTRL_Z = '\u{1a}';
const BACKSPACE = '\u{7f}';

describe('a question on a terminal', () => {
  it('a question on the terminal is shown again with the typed text after Backspace', async () => {
    const { stdin, stderr, answer } = asked();
    stdin.write('/tmo');
    await stderr.saw(/Folder: \/tmo$/);
    stdin.write(`${BACKSPACE}p\r`);
    expect(await answer).toBe('/tmp');
    expect(stripVTControlCharacters(stderr.text)).toMatch(/Folder: \/tmp\s*$/);
  });

  it('a question on the terminal accepts the answer after Ctrl-Z and `fg`', async () => {
    const stop = vi.spyOn(process, 'kill').mockReturnValue(true);
    const { stdin, stderr, answer } = asked();
    stdin.write(`/tm${CTRL_Z}`);
    await stderr.saw(/Folder: \/tm$/);
    await vi.waitFor(() => expect(stop).toHaveBeenCalledWith(process.pid, 'SIGTSTP'));
    stop.mockRestore();
    process.emit('SIGCONT');
    stdin.write('p\r');
    expect(await answer).toBe('/tmp');
  });
});

function asked() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = new CapturedSink(80);
  const io = {
    stdin,
    stdout: new CapturedSink(80),
    stderr,
    env: {},
    cwd: '/',
    clock: new FakeClock(),
  };
  const answers = new Answers(io, { yes: false, command: 'init' });
  const answer = answers.ask({ text: 'Folder', option: 'FOLDER' }, (text) => text);
  return { stdin, stderr, answer: answer.finally(() => answers.close()) };
}
