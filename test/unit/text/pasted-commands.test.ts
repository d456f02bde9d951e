/** Tests that the commands in messages contain the home folder of the command that printed them. */

import { describe, expect, test } from 'vitest';

import { Output } from '../../../src/cli/output/output.ts';
import { withHomeOption } from '../../../src/text/pasted-commands.ts';
import { CapturedSink } from '../../helpers/run-cli.ts';

const HOME = ' --home /srv/hf';

describe('commands in messages', () => {
  test.each([
    ['to run it now: holdfast test docs', 'to run it now: holdfast --home /srv/hf test docs'],
    [
      'to see its state: holdfast status; to stop it: holdfast down',
      'to see its state: holdfast --home /srv/hf status; to stop it: holdfast --home /srv/hf down',
    ],
    ['see `holdfast job review docs`', 'see `holdfast --home /srv/hf job review docs`'],
    ['eval "$(holdfast up --env)"', 'eval "$(holdfast --home /srv/hf up --env)"'],
    ['Try: holdfast down --home /srv/hf --yes', 'Try: holdfast down --home /srv/hf --yes'],
    ['holdfast 0.1.0 runs as docs.holdfast test', 'holdfast 0.1.0 runs as docs.holdfast test'],
  ])(
    'Holdfast adds the home folder exactly once to each command in the message %j',
    (text, pasted) => {
      expect(withHomeOption(text, HOME)).toBe(pasted);
    },
  );

  test('Holdfast does not add the default home folder to a command in a message', () => {
    expect(withHomeOption('to stop it: holdfast down', '')).toBe('to stop it: holdfast down');
  });

  test('Holdfast adds the home folder to commands in sentences, but not in lines of data', async () => {
    const sink = new CapturedSink();
    const out = new Output(sink, {}, { homeOption: HOME });
    await out.prose('to stop it: holdfast down');
    await out.lines('holdfast notes.txt');
    expect(sink.text).toBe('to stop it: holdfast --home /srv/hf down\nholdfast notes.txt\n');
  });
});
