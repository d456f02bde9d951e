/**
 * Runs the S3 service of a journey: another Holdfast whose store listens on the loopback interface,
 * and a relay to it at port 9000 of the network. Writes the access key of an ordinary user to
 * `service.key` in the folder of the first argument.
 */

import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

import { runCliProcess } from '../helpers/cli-process.ts';
import { startDaemonProcess } from '../helpers/daemon-process.ts';

const [folder = ''] = process.argv.slice(2);
const home = join(folder, 'service');
const { client } = await startDaemonProcess(home);
const { endpointUrl } = await client.call('credentials', {});
const relay = createServer((caller) => {
  const service = connect(Number(new URL(endpointUrl).port), '127.0.0.1');
  caller.pipe(service).pipe(caller);
  for (const [one, other] of [
    [caller, service],
    [service, caller],
  ] as const)
    one.on('error', () => other.destroy());
});
relay.listen(9000);
await run('admin', 'users', 'add', 'laptop');
const { result } = JSON.parse(
  await run('admin', 'credentials', '--key', 'holdfast:laptop@local', '--show-secret', '--json'),
);
writeFileSync(join(folder, 'service.key'), JSON.stringify(result));

async function run(...argv: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCliProcess([...argv, '--home', home]);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}
