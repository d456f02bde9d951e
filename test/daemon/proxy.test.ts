/**
 * Tests of an invalid proxy URL in the environment. The error must appear only when the proxy is
 * needed, and must not contain the password.
 */

import { expect, it, onTestFinished } from 'vitest';

import { startDaemon } from '../../daemon/main.ts';
import { resolveHome } from '../../src/config/home.ts';
import { connectControl } from '../../src/control/client.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

it('`target add` fails if the environment contains an unsupported proxy, and the error hides the proxy password', async () => {
  process.env['https_proxy'] = 'socks5://ada:secret@proxy.example';
  onTestFinished(() => void delete process.env['https_proxy']);
  const root = temporaryFolder('proxy');
  makeHome(root);
  const home = resolveHome({ homeFlag: root, env: {}, cwd: '/' });
  const daemon = await startDaemon({ home });
  onTestFinished(() => daemon.stop('the test is over'));
  const client = await connectControl({ socketPath: home.socketPath, clientName: 'test' });
  onTestFinished(() => client.close());
  const added = client.call('targets.add', {
    endpoint: 'https://storage.example',
    accessKeyId: 'id',
    secretAccessKey: 'secret of the key',
  });
  const error = await added.catch((each: unknown) => each);
  expect(error).toMatchObject({ code: 'Config' });
  expect(String(error)).toMatch(
    /targets\.storage[.-]example: the proxy of the environment must be/,
  );
  expect(String(error)).not.toContain('secret');
  expect((await client.call('status', {})).listeners).not.toEqual([]);
});
