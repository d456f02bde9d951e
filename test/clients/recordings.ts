/** The sessions that record.ts records. Each session is a few requests of one client. */

import { createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { BEFORE, CONTENT, KEY, LARGE_CONTENT } from '../helpers/recordings.ts';
import type { Service, Transport } from './service.ts';

export interface Recording {
  /** Name of the recording and of its file. */
  readonly name: string;
  readonly client:
    | 'aws-1'
    | 'aws-2'
    | 'aws-sdk-js'
    | 'curl'
    | 'rclone'
    | 'restic'
    | 's3cmd'
    | 's3fs';
  /** Transport of the client. The default is HTTP. */
  readonly transport?: Transport;
  /** True if the client creates its bucket itself. */
  readonly makesBucket?: true;
  readonly run: (run: Run) => Promise<unknown>;
}

export interface Run {
  readonly service: Service;
  readonly bucket: string;
  /** Path of an empty folder in which the commands run. */
  readonly folder: string;
  /**
   * Runs a command and returns its output. A failure is printed but not thrown, because some
   * commands must fail.
   */
  readonly command: (command: string, ...args: readonly string[]) => Promise<string>;
}

function contentFile({ folder }: Run, content = CONTENT): string {
  const file = join(folder, 'content');
  writeFileSync(file, content);
  return file;
}

const api = (run: Run, operation: string, ...args: readonly string[]) =>
  run.command('aws', '--endpoint-url', run.service.endpoint, 's3api', operation, ...args);
const onKey = (run: Run, operation: string, ...args: readonly string[]) =>
  api(run, operation, '--bucket', run.bucket, '--key', KEY, ...args);

function awsRecordings(client: 'aws-1' | 'aws-2'): Recording[] {
  const put = (run: Run) => onKey(run, 'put-object', '--body', contentFile(run));
  const multipart = async (run: Run) => {
    const output = (member: string) => ['--query', member, '--output', 'text'];
    const id = await onKey(run, 'create-multipart-upload', ...output('UploadId'));
    const upload = ['--upload-id', id];
    const part = ['--part-number', '1', '--body', contentFile(run)];
    const etag = await onKey(run, 'upload-part', ...upload, ...part, ...output('ETag'));
    await onKey(run, 'list-parts', ...upload);
    const parts = `Parts=[{PartNumber=1,ETag=${etag}}]`;
    await onKey(run, 'complete-multipart-upload', ...upload, '--multipart-upload', parts);
  };
  return [
    { name: `${client}-put`, client, run: put },
    { name: `${client}-put-https`, client, transport: 'https', run: put },
    {
      name: `${client}-copy-in-and-out`,
      client,
      run: async (run) => {
        const s3 = ['--endpoint-url', run.service.endpoint, 's3'];
        const url = `s3://${run.bucket}/${KEY}`;
        await run.command('aws', ...s3, 'cp', contentFile(run), url, '--metadata', 'colour=blue');
        await run.command('aws', ...s3, 'cp', url, '-');
        await run.command('aws', ...s3, 'ls', `s3://${run.bucket}/folder/`);
        await run.command(
          'aws',
          ...s3,
          'mv',
          `s3://${run.bucket}/hello.txt`,
          `s3://${run.bucket}/moved.txt`,
        );
      },
    },
    { name: `${client}-multipart`, client, run: multipart },
    { name: `${client}-multipart-https`, client, transport: 'https', run: multipart },
    {
      name: `${client}-delete-many`,
      client,
      run: (run) => {
        const objects = Object.keys(BEFORE).map((Key) => ({ Key }));
        return api(
          run,
          'delete-objects',
          '--bucket',
          run.bucket,
          '--delete',
          JSON.stringify({ Objects: objects }),
        );
      },
    },
    {
      name: `${client}-versioning`,
      client,
      run: async (run) => {
        const bucket = ['--bucket', run.bucket];
        const enabled = 'Status=Enabled';
        await api(run, 'put-bucket-versioning', ...bucket, '--versioning-configuration', enabled);
        await api(run, 'delete-object', ...bucket, '--key', 'hello.txt');
        await api(run, 'list-object-versions', ...bucket, '--prefix', 'folder/ü');
      },
    },
    {
      name: `${client}-presign`,
      client,
      run: async (run) => {
        const url = `s3://${run.bucket}/folder/ü two+.txt`;
        const s3 = ['--endpoint-url', run.service.endpoint, 's3'];
        const link = await run.command('aws', ...s3, 'presign', url);
        await run.command('curl', '-q', '--silent', '--globoff', link);
      },
    },
  ];
}

const sdk = ({ service }: Run, config: S3ClientConfig = { forcePathStyle: true }) =>
  new S3Client({
    endpoint: service.endpoint,
    region: service.region,
    credentials: service,
    ...config,
  });
/** Connects to 127.0.0.1, because few DNS resolvers know host names below `localhost`. */
const toLoopback = new Agent({
  lookup: (_host, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
});
const onSdkKey = ({ bucket: Bucket }: Run) => ({ Bucket, Key: KEY });

const sdkRecordings: Recording[] = [
  {
    name: 'aws-sdk-js-put',
    client: 'aws-sdk-js',
    run: (run) => sdk(run).send(new PutObjectCommand({ ...onSdkKey(run), Body: CONTENT })),
  },
  {
    name: 'aws-sdk-js-put-stream',
    client: 'aws-sdk-js',
    run: (run) =>
      sdk(run).send(
        new PutObjectCommand({ ...onSdkKey(run), Body: createReadStream(contentFile(run)) }),
      ),
  },
  {
    name: 'aws-sdk-js-put-chunks',
    client: 'aws-sdk-js',
    run: (run) => {
      const Body = createReadStream(contentFile(run, LARGE_CONTENT));
      return sdk(run).send(new PutObjectCommand({ ...onSdkKey(run), Body }));
    },
  },
  {
    name: 'aws-sdk-js-virtual-host',
    client: 'aws-sdk-js',
    run: async (run) => {
      const client = sdk(run, { requestHandler: { httpAgent: toLoopback } });
      await client.send(new PutObjectCommand({ ...onSdkKey(run), Body: CONTENT }));
      const { Body } = await client.send(new GetObjectCommand(onSdkKey(run)));
      await Body?.transformToString();
      await client.send(new ListObjectsV2Command({ Bucket: run.bucket, Delimiter: '/' }));
      client.destroy();
    },
  },
  {
    name: 'aws-sdk-js-read-and-delete',
    client: 'aws-sdk-js',
    run: async (run) => {
      const { bucket: Bucket } = run;
      const client = sdk(run);
      const { Body } = await client.send(
        new GetObjectCommand({ Bucket, Key: 'folder/ü two+.txt', Range: 'bytes=1-' }),
      );
      await Body?.transformToString();
      await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'folder/', MaxKeys: 1 }));
      const Objects = Object.keys(BEFORE).map((Key) => ({ Key }));
      await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
      client.destroy();
    },
  },
];

const s3cmdRecordings: Recording[] = [
  {
    name: 's3cmd-put-get-delete',
    client: 's3cmd',
    run: async (run) => {
      const config = ['--config', join(run.folder, 's3cfg')];
      await run.command('s3cmd', ...config, 'put', contentFile(run), `s3://${run.bucket}/${KEY}`);
      await run.command('s3cmd', ...config, 'get', `s3://${run.bucket}/${KEY}`, '-');
      await run.command('s3cmd', ...config, 'ls', `s3://${run.bucket}/folder/`);
      await run.command(
        's3cmd',
        ...config,
        'cp',
        `s3://${run.bucket}/hello.txt`,
        `s3://${run.bucket}/copy.txt`,
      );
      await run.command(
        's3cmd',
        ...config,
        'del',
        '--recursive',
        '--force',
        `s3://${run.bucket}/folder/`,
      );
    },
  },
  {
    name: 's3cmd-signurl',
    client: 's3cmd',
    run: async (run) => {
      const config = ['--config', join(run.folder, 's3cfg')];
      const url = `s3://${run.bucket}/folder/ü two+.txt`;
      const link = await run.command('s3cmd', ...config, 'signurl', url, '+3600');
      await run.command('curl', '-q', '--silent', '--globoff', link);
    },
  },
];

const signatureV2Recordings: Recording[] = [
  {
    name: 's3cmd-signature-v2',
    client: 's3cmd',
    run: async (run) => {
      const s3cmd = (...args: readonly string[]) =>
        run.command('s3cmd', '--config', join(run.folder, 's3cfg'), '--signature-v2', ...args);
      await s3cmd('put', contentFile(run), `s3://${run.bucket}/${KEY}`);
      await s3cmd('get', `s3://${run.bucket}/${KEY}`, '-');
      await s3cmd('ls', `s3://${run.bucket}/folder/`);
    },
  },
  {
    name: 'rclone-signature-v2',
    client: 'rclone',
    run: async (run) => {
      const rclone = (...args: readonly string[]) => run.command('rclone', '--s3-v2-auth', ...args);
      await rclone('copyto', contentFile(run), `other:${run.bucket}/${KEY}`);
      await rclone('cat', `other:${run.bucket}/folder/ü two+.txt`);
    },
  },
];

const rcloneRecordings: Recording[] = [
  {
    name: 'rclone-put',
    client: 'rclone',
    run: (run) => run.command('rclone', 'copyto', contentFile(run), `other:${run.bucket}/${KEY}`),
  },
  {
    name: 'rclone-read-move-delete',
    client: 'rclone',
    run: async (run) => {
      await run.command('rclone', 'cat', `other:${run.bucket}/folder/ü two+.txt`);
      await run.command(
        'rclone',
        'moveto',
        `other:${run.bucket}/hello.txt`,
        `other:${run.bucket}/moved.txt`,
      );
      await run.command('rclone', 'deletefile', `other:${run.bucket}/folder/one.txt`);
    },
  },
  {
    name: 'rclone-link',
    client: 'rclone',
    run: async (run) => {
      const link = await run.command('rclone', 'link', `other:${run.bucket}/folder/ü two+.txt`);
      await run.command('curl', '-q', '--silent', '--globoff', link);
    },
  },
];

const resticRecordings: Recording[] = [
  {
    name: 'restic-init',
    client: 'restic',
    makesBucket: true,
    run: (run) =>
      run.command(
        'restic',
        '--repo',
        `s3:${run.service.endpoint}/${run.bucket}/repository`,
        'init',
      ),
  },
];

const s3fsRecordings: Recording[] = [
  {
    name: 's3fs-write',
    client: 's3fs',
    run: async (run) => {
      const mounted = join(run.folder, 'mounted');
      mkdirSync(mounted);
      const options = [
        `passwd_file=${join(run.folder, 'password')}`,
        `url=${run.service.endpoint}`,
        `endpoint=${run.service.region}`,
        'use_path_request_style',
      ];
      await run.command('s3fs', run.bucket, mounted, ...options.flatMap((each) => ['-o', each]));
      await run.command('cp', contentFile(run), join(mounted, KEY));
      await run.command('rm', join(mounted, 'hello.txt'));
      await run.command('fusermount', '-u', mounted);
    },
  },
];

/**
 * Runs curl, which signs only the given headers. Recordings of refused requests show which headers
 * are missing.
 */
function curl(run: Run, ...args: readonly string[]): Promise<string> {
  const signer = [
    '--aws-sigv4',
    `aws:amz:${run.service.region}:s3`,
    '--netrc-file',
    join(run.folder, 'netrc'),
  ];
  return run.command('curl', '-q', '--silent', ...signer, ...args);
}
const curlUrl = (run: Run) => `${run.service.endpoint}/${run.bucket}/new.txt`;

const curlRecordings: Recording[] = [
  {
    name: 'curl-without-digest',
    client: 'curl',
    run: (run) => curl(run, '--upload-file', contentFile(run), curlUrl(run)),
  },
  {
    name: 'curl-put-and-get',
    client: 'curl',
    run: async (run) => {
      const digest = ['--header', 'x-amz-content-sha256: UNSIGNED-PAYLOAD'];
      await curl(run, ...digest, '--upload-file', contentFile(run), curlUrl(run));
      await curl(run, ...digest, '--range', '0-7', curlUrl(run));
    },
  },
];

export const RECORDINGS: readonly Recording[] = [
  ...awsRecordings('aws-1'),
  ...awsRecordings('aws-2'),
  ...sdkRecordings,
  ...s3cmdRecordings,
  ...rcloneRecordings,
  ...signatureV2Recordings,
  ...resticRecordings,
  ...s3fsRecordings,
  ...curlRecordings,
];
