/**
 * Checks of curl with its own signature: supported requests, and the errors that other requests
 * cause.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { CLI } from '../helpers/daemon-process.ts';
import { signatureFields, signPolicy } from '../helpers/form.ts';
import { runCommand } from './command.ts';
import { assertSameBytes, bytesOf, MIB, writeContent } from './content.ts';
import { curlLine } from './links.ts';
import type { Lane } from './lane.ts';
import { virtualEndpoint } from './service.ts';
import type { Service } from './service.ts';

export function curlEnvironment(service: Service, folder: string): NodeJS.ProcessEnv {
  // The `--user` option of curl would end the access key id at its first colon, and Holdfast key
  // ids contain colons.
  const login = `default login ${service.accessKeyId} password ${service.secretAccessKey}\n`;
  writeContent(join(folder, 'netrc'), login, 0o600);
  return {};
}

/** Returns the signed fields of an HTML form that uploads one file. */
function signedForm(
  { region, accessKeyId, secretAccessKey }: Service,
  { bucket, key }: { readonly bucket: string; readonly key: string },
): Readonly<Record<string, string>> {
  const now = systemClock.now();
  const credentials = { accessKeyId, secretAccessKey };
  const signing = { dialect: amzDialect, region, credentials, now };
  const signature = signatureFields(signing);
  const conditions = [
    { bucket },
    ['starts-with', '$key', 'by form/'],
    ['content-length-range', 1, 10 * MIB],
    signature,
  ];
  const expiration = new Date(now + 60_000).toISOString();
  return { key, ...signature, ...signPolicy({ expiration, conditions }, signing) };
}

/** Returns the presigned URL that `holdfast s3 link` prints for the tested endpoint. */
async function link({ service }: Lane, object: string, ...options: string[]): Promise<string> {
  const { home, endpoint } = service;
  assert(home !== undefined, 'there is a daemon to make links');
  const argv = [CLI, 's3', 'link', object, '--endpoint', endpoint, ...options, '--home', home];
  const { code, stdout, stderr } = await runCommand(process.execPath, argv, { env: process.env });
  assert.equal(code, 0, stderr);
  return stdout.toString().trim();
}

export async function curlChecks(lane: Lane): Promise<void> {
  const { service } = lane;
  const bucket = lane.bucketName('curl');
  const url = (path = '') => `${service.endpoint}/${bucket}${path}`;
  const signature = ['--aws-sigv4', `aws:amz:${service.region}:s3`];
  const signer = [...signature, '--netrc-file', lane.path('netrc')];
  const unsignedPayload = ['--header', 'x-amz-content-sha256: UNSIGNED-PAYLOAD'];
  const curl = (...args: string[]): Promise<Buffer> =>
    lane.run(lane.tool.path, curlLine(lane, ...args));
  const signed = (...args: string[]): Promise<Buffer> =>
    curl('--fail-with-body', ...signer, ...unsignedPayload, ...args);
  const content = bytesOf(3 * MIB, 8);
  writeContent(lane.path('content'), content);

  await lane.check(
    'a signed request without x-amz-content-sha256 fails with an error that names the header',
    async () => {
      const said = await curl(...signer, '--request', 'PUT', url());
      assert.match(said.toString(), /<Code>InvalidRequest<.*x-amz-content-sha256/s);
    },
  );

  await lane.check('PUT of a bucket URL creates the bucket', async () => {
    await signed('--request', 'PUT', url());
  });

  await lane.check('PUT stores an object that GET returns', async () => {
    await signed('--upload-file', lane.path('content'), url('/object'));
    assertSameBytes(await signed(url('/object')), content);
  });

  await lane.check('GET with a Range header returns the bytes of the range', async () => {
    assertSameBytes(
      await signed('--range', '1000-1999', url('/object')),
      content.subarray(1000, 2000),
    );
  });

  await lane.check('HEAD returns the size of an object', async () => {
    const said = (await signed('--head', url('/object'))).toString();
    assert.match(said, new RegExp(`^content-length: ${content.length}\r$`, 'im'));
  });

  await lane.check('GET ?list-type=2 lists the objects of a bucket', async () => {
    assert.match((await signed(`${url()}?list-type=2`)).toString(), /<Key>object<\/Key>/);
  });

  await lane.check('GET with a virtual-hosted-style URL returns the object', async () => {
    assertSameBytes(await signed(`${virtualEndpoint(service, bucket)}/object`), content);
  });

  await lane.check(
    'an HTML form upload stores a file and rejects a field outside its policy',
    async () => {
      const fields = signedForm(service, { bucket, key: 'by form/${filename}' });
      const form = Object.entries(fields).flatMap(([name, value]) => [
        '--form-string',
        `${name}=${value}`,
      ]);
      const file = ['--form', `file=@${lane.path('content')};filename=photo.jpg`];
      await curl('--fail-with-body', ...form, ...file, url());
      assertSameBytes(await signed(url('/by%20form/photo.jpg')), content);
      const more = ['--form-string', 'acl=public-read'];
      assert.match(
        (await curl(...form, ...more, ...file, url())).toString(),
        /<Code>AccessDenied</,
      );
      await signed('--request', 'DELETE', url('/by%20form/photo.jpg'));
    },
  );

  await lane.check(
    'curl downloads and uploads by the presigned URLs that holdfast s3 link prints',
    async () => {
      assertSameBytes(
        await curl('--fail-with-body', await link(lane, `${bucket}/object`)),
        content,
      );
      const put = await link(lane, `${bucket}/by link`, '--put', '--expires', '7d');
      await curl('--fail-with-body', '--upload-file', lane.path('content'), put);
      assertSameBytes(await signed(url('/by%20link')), content);
      await signed('--request', 'DELETE', url('/by%20link'));
    },
  );

  await lane.check('GET without a signature fails with AccessDenied', async () => {
    assert.match((await curl(url('/object'))).toString(), /<Code>AccessDenied</);
  });

  await lane.check('DELETE removes an object and the bucket', async () => {
    await signed('--request', 'DELETE', url('/object'));
    await signed('--request', 'DELETE', url());
  });

  await lane.check('GET with an unknown access key ID fails with InvalidAccessKeyId', async () => {
    const wrong = [...signature, '--user', 'nobody:wrong'];
    const said = await curl(...wrong, ...unsignedPayload, url('/object'));
    assert.match(said.toString(), /<Code>InvalidAccessKeyId</);
  });

  await lane.check(
    service.caFile === undefined
      ? 'the HTTP port does not accept TLS connections'
      : 'curl rejects the certificate of an unknown certificate authority',
    async () => {
      const { host } = service;
      await lane.fails(lane.tool.path, ['-q', '--silent', '--show-error', `https://${host}/`]);
    },
  );
}
