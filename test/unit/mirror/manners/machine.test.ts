/** Tests of reading the power supply and the metered state of the network on Linux. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { LinuxMachine } from '../../../../src/mirror/limits/machine.ts';
import { FakeClock } from '../../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

type Supplies = Readonly<Record<string, Readonly<Record<string, string>>>>;

function suppliesFolder(supplies: Supplies): string {
  const folder = temporaryFolder();
  for (const [name, facts] of Object.entries(supplies)) {
    mkdirSync(join(folder, name));
    for (const [fact, value] of Object.entries(facts))
      writeFileSync(join(folder, name, fact), `${value}\n`);
  }
  return folder;
}

describe('detection of the power supply', () => {
  const full = { type: 'Battery', status: 'Full' };
  const discharging = { type: 'Battery', status: 'Discharging' };
  test.each<[string, Supplies, boolean | undefined]>([
    ['a laptop that is plugged in', { AC: { type: 'Mains', online: '1' }, BAT0: full }, false],
    [
      'a laptop that runs on battery',
      { AC: { type: 'Mains', online: '0' }, BAT0: full, BAT1: discharging },
      true,
    ],
    [
      'a laptop that charges by USB',
      { usb: { type: 'USB', online: '1' }, BAT0: discharging },
      false,
    ],
    ['a laptop without information about a power cable', { BAT0: discharging }, true],
    ['a desktop', {}, undefined],
    [
      'a desktop with an empty mouse battery',
      { mouse: { ...discharging, scope: 'Device' } },
      undefined,
    ],
  ])('Holdfast detects whether the machine runs on battery: %s', (_, supplies, expected) => {
    const machine = new LinuxMachine(new FakeClock(), suppliesFolder(supplies));
    expect(machine.isOnBattery()).toBe(expected);
  });

  test('Holdfast reports an unknown power supply if the system folder of power supplies does not exist', () => {
    const nowhere = join(temporaryFolder(), 'none');
    expect(new LinuxMachine(new FakeClock(), nowhere).isOnBattery()).toBeUndefined();
  });
});

describe('detection of a metered network', () => {
  test.each([
    ['u 1\n', true],
    ['u 2\n', false],
    ['u 3\n', true],
    ['u 4\n', false],
    ['u 0\n', undefined],
    ['', undefined],
  ])(
    'Holdfast interprets the busctl output %j as a metered network: %s',
    async (answer, expected) => {
      const response = Promise.resolve(answer);
      const machine = new LinuxMachine(new FakeClock(), '/none', () => response);
      expect(machine.isMetered()).toBeUndefined();
      await response;
      expect(machine.isMetered()).toBe(expected);
    },
  );

  test('Holdfast asks for the metered state every 30 seconds and reports it as unknown if a request fails', async () => {
    const clock = new FakeClock();
    const answers = [Promise.resolve('u 1'), Promise.reject(new Error('no bus'))];
    let asked = 0;
    const machine = new LinuxMachine(clock, '/none', () => answers[asked++] ?? Promise.resolve(''));
    machine.isMetered();
    await answers[0];
    clock.advance(29_999);
    expect([machine.isMetered(), asked]).toEqual([true, 1]);
    clock.advance(1);
    machine.isMetered();
    await answers[1]?.catch(() => undefined);
    await Promise.resolve();
    expect([machine.isMetered(), asked]).toEqual([undefined, 2]);
  });
});
