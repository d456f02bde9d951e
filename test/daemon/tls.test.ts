/** Tests of the HTTPS endpoint of the store. The certificate is renewed while the daemon runs. */

import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { startDaemon } from '../../daemon/main.ts';
import { resolveHome } from '../../src/config/home.ts';
import { connectControl } from '../../src/control/client.ts';
import { makeCertificate } from '../helpers/certificate.ts';
import type { TestCertificate } from '../helpers/certificate.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const TLS = '{certFile: cert.pem, keyFile: key.pem, port: 0}';

async function daemonWith(certificate: TestCertificate) {
  const root = temporaryFolder('tls');
  const install = ({ cert, key }: TestCertificate) => {
    writeFileSync(join(root, 'cert.pem'), cert);
    writeFileSync(join(root, 'key.pem'), key, { mode: 0o600 });
  };
  install(certificate);
  writeFileSync(join(root, 'config.yaml'), `storage: {port: 0, tls: ${TLS}}\n`);
  const home = resolveHome({ homeFlag: root, env: {}, cwd: '/' });
  const daemon = await startDaemon({ home });
  onTestFinished(() => daemon.stop('the test is over'));
  const client = await connectControl({ socketPath: home.socketPath, clientName: 'test' });
  onTestFinished(() => client.close());
  return { daemon, client, install };
}

/**
 * Sends an unsigned request. Returns the status of the response, or the code of the connection
 * error.
 */
function answerOf(url: string, { cert }: TestCertificate): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    request(url, { ca: cert, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      .end();
  });
}

it('the HTTPS endpoint appears in the status and in the credentials, and answers requests', async () => {
  const certificate = makeCertificate();
  const { client } = await daemonWith(certificate);
  const { listeners } = await client.call('status', {});
  expect(listeners).toMatchObject([
    { name: 'storage', url: expect.stringMatching(/^http:/) as string },
    { name: 'storage-tls', url: expect.stringMatching(/^https:\/\/127.0.0.1:\d+$/) as string },
  ]);
  const { tlsEndpointUrl = '' } = await client.call('credentials', {});
  expect(tlsEndpointUrl).toBe(listeners[1]?.url);
  expect(await answerOf(tlsEndpointUrl, certificate)).toBe(403);
});

it('`config reload` loads a renewed certificate, and keeps the current certificate if the files are invalid', async () => {
  const [first, second] = [makeCertificate({ notAfter: Date.now() }), makeCertificate()];
  const { client, daemon, install } = await daemonWith(first);
  const { tlsEndpointUrl: url = '' } = await client.call('credentials', {});
  const warnings = async () => (await client.call('status', {})).warnings.join('\n');
  expect(await warnings()).toMatch(/^storage.tls: the certificate expired on /);
  install({ ...second, key: first.key });
  daemon.reload();
  await until(warnings, (text) => text.includes('the files are invalid'));
  expect(await answerOf(url, first)).toBe('CERT_HAS_EXPIRED');
  install(second);
  daemon.reload();
  await until(warnings, (text) => text === '');
  expect(await answerOf(url, second)).toBe(403);
});
