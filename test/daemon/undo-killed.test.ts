/**
 * Tests that no local bytes are lost if the daemon is killed during an undo. The bytes must be in
 * the folder or in a version.
 */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import type { Result } from '../../src/control/messages.ts';
import { isTemporaryName } from '../../src/mirror/local/temporary-name.ts';
import { type DaemonProcess, makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import { laterMillisecond } from '../helpers/later-time.ts';
import { jsonOf, runCli } from '../helpers/run-cli.ts';

const FILES = 150;
/** Times from the start of each undo until the kill, in milliseconds. */
const KILLED_AFTER_MS = [60, 180];

it('when the daemon is killed during an undo, local bytes are in the folder or in a version, and a later undo completes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hf-killed-undo-'));
  const [home, root] = [join(folder, 'home'), join(folder, 'notes')];
  const cli = (...argv: string[]) => runCli([...argv, '--home', home], { clock: systemClock });
  const names = Array.from({ length: FILES }, (_, index) => `p/${index}`);
  mkdirSync(join(root, 'p'), { recursive: true });
  makeHome(home);
  let daemon: DaemonProcess = await startDaemonProcess(home);
  try {
    for (const name of names) writeFileSync(join(root, name), `old ${name}`);
    expect(await cli('job', 'add', root)).toMatchObject({ exitCode: 0 });
    expect(await cli('wait', 'notes')).toMatchObject({ exitCode: 0 });
    expect(await cli('job', 'edit', 'notes', 'paused=true')).toMatchObject({ exitCode: 0 });
    const moment = new Date().toISOString();
    await laterMillisecond();
    for (const afterMs of KILLED_AFTER_MS) {
      for (const name of names) writeFileSync(join(root, name), `new ${afterMs} ${name}`);
      const undo = cli('undo', join(root, 'p'), '--at', moment);
      await systemClock.sleep(afterMs);
      await daemon.kill();
      await undo;
      const local = new Set(
        readdirSync(join(root, 'p')).map((name) => readFileSync(join(root, 'p', name), 'utf8')),
      );
      daemon = await startDaemonProcess(home);
      const stored = await storedTexts(daemon);
      const texts = names.map((name) => `new ${afterMs} ${name}`);
      expect(texts.filter((text) => !local.has(text) && !stored.has(text))).toEqual([]);
    }
    const last = await cli('undo', join(root, 'p'), '--at', moment, '--json');
    expect(jsonOf(last.stdout) as Result<'history.undo'>).toMatchObject({ problems: [] });
    for (const name of names) expect(readFileSync(join(root, name), 'utf8')).toBe(`old ${name}`);
    expect(readdirSync(join(root, 'p')).filter(isTemporaryName)).toEqual([]);
  } finally {
    await daemon.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);

async function storedTexts({ client }: DaemonProcess): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  let next: Result<'versions.list'>['next'];
  do {
    const page = await client.call('versions.list', { bucket: 'notes', prefix: 'p/', ...next });
    for (const { kind, key, versionId } of page.versions) {
      if (kind !== 'version') continue;
      const { stream } = await client.call('objects.get', { bucket: 'notes', key, versionId });
      let text = '';
      for await (const chunk of client.download(stream)) text += Buffer.from(chunk).toString();
      texts.add(text);
    }
    next = page.next;
  } while (next !== undefined);
  return texts;
}
