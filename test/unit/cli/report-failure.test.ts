/** Tests of error messages on standard error. No value in a message can add a line to it. */

import { Writable } from 'node:stream';

import { expect, test } from 'vitest';

import { reportFailure } from '../../../src/cli/report-failure.ts';
import { CommandError } from '../../../src/cli/output/command-error.ts';
import type { Io } from '../../../src/cli/output/output.ts';
import { ConfigError } from '../../../src/config/config-error.ts';
import { ControlError } from '../../../src/control/control-error.ts';

const KEY = 'a\nholdfast: all objects are intact\n';

async function returned(
  error: unknown,
  options: { readonly json?: boolean } = {},
): Promise<string> {
  let text = '';
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      done();
    },
  });
  await reportFailure(error, { stdout: sink, stderr: sink, env: {} } as unknown as Io, options);
  return text;
}

test.each([
  ['of a command', new CommandError('NotFound', `read ${KEY}: it does not exist`, KEY)],
  ['of the daemon', new ControlError('Storage', `read ${KEY}: no`, { storageCode: 'NoSuchKey' })],
  ['of the system', Object.assign(new Error(`open ${KEY}`), { code: 'ENOENT', path: KEY })],
  ['of a configuration with one problem', new ConfigError(KEY, [{ message: KEY, path: KEY }])],
])('a line feed in a value adds no line to the message of an error %s', async (_, error) => {
  const lines = (await returned(error)).split('\n');
  expect(lines.filter((line) => line.startsWith('holdfast: all'))).toEqual([]);
  expect(lines[0]).toMatch(/^holdfast: .*\\nholdfast: all objects are intact\\n/);
});

test('the command line shows the end of a lock in local time in an error, and in UTC with --json', async () => {
  const message =
    'cannot remove the version: COMPLIANCE until 2026-12-21T12:00:00.000Z: no user can';
  const error = new ControlError('Storage', message, { storageCode: 'AccessDenied' });
  expect(await returned(error)).toContain(
    'COMPLIANCE until 2026-12-21 12:00:00 +00:00: no user can',
  );
  const { error: json } = JSON.parse(await returned(error, { json: true })) as { error: object };
  expect(json).toMatchObject({ message });
});

test('the command line prints only source positions in the stack trace of a defect, not the error message', async () => {
  const text = await returned(new TypeError(`read \u{1b}[2J${KEY}`));
  expect(text).not.toContain('\u{1b}');
  expect(text.split('\n').slice(1, -1)).toSatisfy((lines: string[]) =>
    lines.every((line) => line.startsWith('    at ')),
  );
});

test('the command line prints each configuration problem on one line even if its value contains a line feed', async () => {
  const problems = [{ message: `is not ${KEY}`, line: 1 }, { message: 'is missing' }];
  for (const error of [
    new ConfigError('c.yaml', problems),
    new ControlError('Config', new ConfigError('c.yaml', problems).message),
  ]) {
    expect(await returned(error)).toBe(
      'holdfast: cannot read c.yaml: 2 problems\n' +
        '  1:1 is not a\\nholdfast: all objects are intact\\n\n' +
        '  is missing\n',
    );
  }
});
