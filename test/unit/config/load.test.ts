import { homedir } from 'node:os';
import { join } from 'node:path';
import { mkdirSync, readFileSync } from 'node:fs';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isBucketName } from '../../../src/config/bucket-name.ts';
import { ConfigError } from '../../../src/config/config-error.ts';
import { resolveHome } from '../../../src/config/home.ts';
import { loadConfig, parseConfig } from '../../../src/config/load.ts';
import { checkBucketName } from '../../../src/object-store/rules/naming.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const home = resolveHome({ homeFlag: '/home/of/holdfast', env: {}, cwd: '/' });
const file = '/etc/holdfast/config.yaml';
/** A home in test mode, which accepts the test-only settings. */
const testHome = resolveHome({
  homeFlag: '/home/of/holdfast',
  env: { HOLDFAST_TEST_MODE: '1' },
  cwd: '/',
});
const parse = (text: string, of = home) => parseConfig(text, { file, home: of });

function problemsOf(text: string, of = home): string[] {
  try {
    parse(text, of);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.message.split('\n').slice(-error.problems.length);
    throw error;
  }
  return [];
}

const job = (members: string) => `jobs:\n  - {name: a, folder: /a, bucket: aaa, ${members}}\n`;

describe('parsing the configuration', () => {
  it.each(['', '# nothing yet\n', 'jobs:\n', 'jobs: []\ntargets:\nstorage:\n'])(
    'Holdfast uses the default of each omitted setting: %j',
    (text) => {
      expect(parse(text)).toEqual({
        region: 'us-east-1',
        vendor: 'SVC',
        logLevel: 'info',
        logLevels: {},
        metrics: {},
        storage: {
          host: '127.0.0.1',
          port: 9010,
          baseNames: ['localhost'],
          trustedProxies: [],
          signatureV2: 'presigned',
          customerKeysOverHttp: false,
          upkeep: { scrubDays: 30, scrubMegabytesPerSecond: 16, maxClockJumpHours: 1 },
          quotas: {
            bucketsPerProject: 50,
            bytesPerBucket: 25 * 1024 ** 4,
            objectsPerBucket: 50_000_000,
            bytesPerObject: 5 * 1024 ** 4,
            keyBytes: 1024,
            tagsPerObject: 10,
            keysPerBulkDelete: 1000,
            partsPerUpload: 10_000,
          },
        },
        clusters: {
          host: '127.0.0.1',
          serviceCode: 'eks',
          seconds: {
            createCluster: 10,
            deleteCluster: 5,
            createNodegroup: 10,
            deleteNodegroup: 5,
            batch: 3,
          },
          services: [],
        },
        alerts: { lagMinutes: 60, freshnessHours: 48, provenDays: 0, actions: [{ type: 'log' }] },
        targets: [],
        jobs: [],
      });
    },
  );

  it.each([
    ['keyBytes', 254, '255 to 1024'],
    ['keyBytes', 1025, '255 to 1024'],
    ['tagsPerObject', -1, '0 to 50'],
    ['tagsPerObject', 51, '0 to 50'],
    ['keysPerBulkDelete', 0, '1 to 1000'],
    ['keysPerBulkDelete', 1001, '1 to 1000'],
    ['partsPerUpload', 10_001, '1 to 10000'],
    ['partsPerUpload', 1.5, '1 to 10000'],
  ])('Holdfast refuses the quota %s with the value %d', (name, value, allowed) => {
    const text = `storage: {quotas: {${name}: ${value}}}`;
    expect(() => parse(text)).toThrow(`must be a whole number from ${allowed}`);
  });

  it.each([
    ['127.0.0.1:9013', { host: '127.0.0.1', port: 9013 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ["'[::1]:9013'", { host: '::1', port: 9013 }],
  ])('[metric-9] Holdfast enables HTTP metrics at %s', (http, listener) => {
    expect(parse(`metrics: {http: ${http}}`).metrics).toEqual({ http: listener });
  });

  it.each([
    '9013',
    '127.0.0.1',
    '0.0.0.0:9013',
    '192.168.1.2:9013',
    '127.0.0.1:65536',
    "'::1:9013'",
  ])('[metric-9] Holdfast refuses HTTP metrics at %s', (http) => {
    expect(problemsOf(`metrics: {http: ${http}}`)).toHaveLength(1);
  });

  it.each([
    ['{}', { port: 9012, baseNames: ['localhost'] }],
    [
      '{port: 0, baseNames: [sites.test, b.test]}',
      { port: 0, baseNames: ['sites.test', 'b.test'] },
    ],
  ])('[web-35] Holdfast enables websites with %s', (text, website) => {
    expect(parse('storage: {}').storage.website).toBeUndefined();
    expect(parse(`storage: {website: ${text}}`).storage.website).toEqual(website);
  });

  it.each([
    '{port: 70000}',
    '{baseNames: []}',
    '{baseNames: [127.0.0.1]}',
    '{host: 0.0.0.0}',
    'true',
  ])('[web-35] Holdfast refuses the website settings %s', (text) => {
    expect(problemsOf(`storage: {website: ${text}}`)).toHaveLength(1);
  });

  it('Holdfast parses the conditions and limits under which a job runs', () => {
    const manners = `bandwidth: 5MB/s, schedule: '0 2 * * *', window: '22:00-06:30', onBattery: pause`;
    expect(parse(`jobs: [{name: a, folder: /a, bucket: aaa, ${manners}}]`).jobs[0]).toMatchObject({
      bandwidth: [{ bytesPerSecond: 5e6 }],
      schedule: '0 2 * * *',
      window: { fromMinute: 22 * 60, toMinute: 390 },
      onBattery: 'pause',
      priority: 'normal',
    });
    const day = "{from: '08:00', to: '18:00', limit: 1MiB/s}";
    const night = "{from: '18:00', to: '24:00', limit: 2000}";
    const timetable = `bandwidth: [${day}, ${night}]`;
    expect(
      parse(`jobs: [{name: a, folder: /a, bucket: aaa, ${timetable}}]`).jobs[0]?.bandwidth,
    ).toEqual([
      { fromMinute: 480, toMinute: 1080, bytesPerSecond: 1_048_576 },
      { fromMinute: 1080, toMinute: 1440, bytesPerSecond: 2000 },
    ]);
  });

  it.each([
    ['keep: {daily: 7d}', 'all'],
    ['keep: {all: 0d}', 'must be a period such as 7d'],
    ['keep: {all: 12h}', 'must be a period such as 7d'],
    ['keep: {all: 7d, yearly: 9y}', 'unknown key'],
    ["attributes: [{match: '*.html', headers: {Content-Size: '1'}}]", 'Content-Size'],
    ["attributes: [{match: '*.html', headers: {Expires: ''}}]", 'must be printable ASCII'],
    ["attributes: [{match: '*.html', tags: {a: 'b?'}}]", 'must be letters, digits, spaces'],
    ["attributes: [{match: '*.html', acl: everybody}]", 'must be one of private, public-read'],
    ["attributes: [{match: '!*.html'}]", 'must not start with !'],
    ['bandwidth: fast', 'must be a rate such as 5MB/s'],
    ['bandwidth: 999', 'must be a rate such as 5MB/s, at least 1kB/s'],
    ['bandwidth: []', 'must have at least one time range'],
    ["bandwidth: [{from: '8', to: '9:00', limit: 1MB/s}]", 'or a list of entries such as'],
    ["bandwidth: [{from: '08:00', to: '08:00', limit: 1MB/s}]", 'from and to must differ'],
    ["bandwidth: [{from: '8:00', to: '9:00', limit: 1MB/s, day: 1}]", 'unknown key'],
    ["window: '22:00'", 'must be a time range, such as 22:00-06:00'],
    ["window: '22:00-22:00'", 'must be a time range'],
    ["window: '22:00-24:01'", 'must be a time range'],
    ["schedule: '0 2 * *'", 'must be five fields'],
    ["schedule: '61 2 * * *'", 'must be five fields'],
    ["schedule: '0 2 30 2 *'", 'that match a real date'],
    ['priority: urgent', 'must be one of low, normal, high'],
    ['onBattery: stop', 'must be one of run, pause'],
    ['minVersionInterval: 31d', 'must be a period such as 90s, 10m, 1h or 1d, of at most 30d'],
    ['minVersionInterval: 5', 'must be a period such as'],
    ["minVersionInterval: {patterns: [{match: '!a', interval: 1h}]}", 'must not start with !'],
    ["minVersionInterval: {patterns: [{match: 'a', interval: x}]}", 'must be a period such as'],
    ['minVersionInterval: {intervall: 1h}', 'unknown key'],
    ['customerKey: {}', 'must have either file or command'],
    ['customerKey: {file: a, command: [b]}', 'must have either file or command'],
    ['customerKey: {command: []}', 'must have a program'],
    ['customerKey: {command: pass}', 'must be a list'],
    ['customerKey: {key: a}', 'unknown key'],
    ['customerKey: {earlier: [{file: a}]}', 'must have either file or command'],
    ['customerKey: {file: a, earlier: [{}]}', 'must have either file or command'],
    ['customerKey: {file: a, earlier: [{file: b, earlier: []}]}', 'unknown key'],
  ])('Holdfast refuses a job with %s', (member, reason) => {
    const text = `jobs: [{name: a, folder: /a, bucket: aaa, ${member}}]`;
    expect(() => parse(text)).toThrow(reason);
  });

  it.each([
    ['{file: photos.key}', { file: '/etc/holdfast/photos.key' }],
    ['{file: ~/photos.key}', { file: join(homedir(), 'photos.key') }],
    ['{command: [pass, show, photos]}', { command: ['pass', 'show', 'photos'] }],
    [
      '{file: new.key, earlier: [{file: old.key}, {command: [pass]}]}',
      {
        file: '/etc/holdfast/new.key',
        earlier: [{ file: '/etc/holdfast/old.key' }, { command: ['pass'] }],
      },
    ],
  ])('Holdfast accepts the customer key source %s in a job', (text, customerKey) => {
    expect(parse(job(`customerKey: ${text}`)).jobs[0]?.customerKey).toEqual(customerKey);
  });

  it.each([
    ['https://one.example', []],
    ['http://127.0.0.1:9110', []],
    ['http://[::1]:9110', []],
    ['http://localhost', []],
    ['http://one.example', [expect.stringContaining('would be sent unencrypted to http://one.')]],
  ])(
    'Holdfast reports for a job with a customer key and the target %s the problems %j',
    (endpoint, problems) => {
      const target = `targets: [{name: one, endpoint: '${endpoint}'}]`;
      expect(problemsOf(`${job('target: one, customerKey: {file: a}')}${target}`)).toEqual(
        problems,
      );
    },
  );

  it.each([
    ['90s', 90_000],
    ['{interval: 1m}', { interval: 60_000, patterns: [] }],
    [
      "{patterns: [{match: '*.log', interval: 1d}]}",
      { interval: 0, patterns: [{ match: '*.log', interval: 24 * 3_600_000 }] },
    ],
  ])(
    'Holdfast accepts %s as the minimum interval between two versions of a job',
    (text, minVersionInterval) => {
      const [found] = parse(job(`minVersionInterval: ${text}`)).jobs;
      expect(found?.minVersionInterval).toEqual(minVersionInterval);
    },
  );

  it('Holdfast accepts the key `keep` with periods in days, weeks and years', () => {
    const text =
      'jobs: [{name: a, folder: /a, bucket: aaa, keep: {all: 7d, daily: 4w, weekly: 1y}}]';
    const day = 24 * 3_600_000;
    expect(parse(text).jobs[0]?.keep).toEqual({ all: 7 * day, daily: 28 * day, weekly: 365 * day });
  });

  it('Holdfast parses the object headers and tags of a job by their names', () => {
    const rule =
      "{match: '*.html', headers: {Content-Type: text/html, Expires: '0'}, tags: {a: b}}";
    const text = `jobs: [{name: a, folder: /a, bucket: aaa, attributes: [${rule}]}]`;
    const headers = { contentType: 'text/html', expires: '0' };
    const tags = [{ key: 'a', value: 'b' }];
    expect(parse(text).jobs[0]?.attributes).toEqual([{ match: '*.html', headers, tags }]);
  });

  describe('a job with several targets', () => {
    const TARGETS =
      "targets: [{name: eu, endpoint: 'https://eu.example'}, {name: usb, endpoint: 'https://usb.example'}]\n";
    const several = (also: string, members = 'exclude: [x], paused: true') =>
      `${TARGETS}jobs:\n  - {name: a, folder: /a, bucket: aaa, ${members}, also: ${also}}\n`;

    it('Holdfast turns a job with several targets into one job for each target, with the options of the job unless the target overrides them', () => {
      const lock = 'lock: {mode: GOVERNANCE, days: 3}, heartbeatUrl: https://up.example/a';
      const also =
        '[{target: eu, bucket: bbb, paused: false, priority: low}, {target: usb, prefix: a/}]';
      const { jobs } = parse(several(also, `exclude: [x], paused: true, ${lock}`));
      const heartbeat = { heartbeatUrl: 'https://up.example/a' };
      const shared = { folder: '/a', exclude: ['x'], lock: { mode: 'GOVERNANCE', days: 3 } };
      expect(jobs).toMatchObject([
        { name: 'a', target: 'local', bucket: 'aaa', paused: true, ...shared, ...heartbeat },
        { name: 'a@eu', target: 'eu', bucket: 'bbb', paused: false, priority: 'low', ...shared },
        { name: 'a@usb', target: 'usb', bucket: 'aaa', prefix: 'a/', paused: true, ...shared },
      ]);
      expect(jobs.map((each) => [Object.hasOwn(each, 'also'), each.heartbeatUrl])).toEqual([
        [false, heartbeat.heartbeatUrl],
        [false, undefined],
        [false, undefined],
      ]);
    });

    it.each([
      ['[{bucket: bbb}]', [':3:75: jobs[0].also[0]: must name a target']],
      ['[{target: us}]', ['jobs[0].also[0].target: unknown target; did you mean usb?']],
      ['[{target: local}]', ['jobs[0].also[0].target: is already a target of this job']],
      ['[{target: eu}, {target: eu}]', ['also[1].target: is already a target of this job']],
      ['[{target: eu, folder: /b}]', ['jobs[0].also[0].folder: must be set on the job']],
      ['[{target: eu, name: b}]', ['jobs[0].also[0].name: must be set on the job']],
      ['[{target: eu, lock: {mode: X, days: 1}}]', ['jobs[0].also[0].lock.mode: must be one of']],
      [
        '[{target: eu, bucked: bbb}]',
        ['jobs[0].also[0].bucked: unknown key; did you mean bucket?'],
      ],
      ['[eu]', ['jobs[0].also[0]: must be a map']],
      ['{target: eu}', ['jobs[0].also: must be a list']],
    ])(
      'Holdfast refuses the value %s of the job option `also`, which lists further targets',
      (also, problems) => {
        const found = problemsOf(several(also)).sort();
        expect(found).toEqual(problems.map((each) => expect.stringContaining(each)));
      },
    );

    it('Holdfast reports an error in a job with several targets only once', () => {
      expect(problemsOf(several('[{target: eu}, {target: usb}]', 'drift: no'))).toEqual([
        expect.stringContaining('jobs[0].drift: must be one of'),
      ]);
    });
  });

  it('Holdfast uses the default of each omitted option of a job', () => {
    expect(parse('jobs: [{name: a, folder: /a, bucket: aaa}]').jobs).toEqual([
      {
        name: 'a',
        folder: '/a',
        bucket: 'aaa',
        prefix: '',
        target: 'local',
        paused: false,
        exclude: [],
        cacheDirs: 'exclude',
        oneFileSystem: true,
        conflict: 'keep-both',
        drift: 'report',
        rescanMinutes: 60,
        verifyDays: 30,
        unguarded: false,
        conflictWindowDays: 30,
        minVersionInterval: 0,
        attributes: [],
        carry: true,
        verifyUploads: false,
        onBattery: 'run',
        onMetered: 'run',
        priority: 'normal',
      },
    ]);
  });

  it.each([
    ['~', homedir()],
    ['~/Pictures', join(homedir(), 'Pictures')],
    ['data', '/etc/holdfast/data'],
    ['../data/', '/etc/data'],
    ['/srv/../x', '/x'],
    ['~other', '/etc/holdfast/~other'],
  ])('Holdfast resolves the folder %s of a job to %s', (folder, absolute) => {
    const text = `jobs: [{name: a, folder: ${JSON.stringify(folder)}, bucket: aaa}]`;
    expect(parse(text).jobs[0]?.folder).toBe(absolute);
  });

  it('Holdfast looks for the credentials of a target in the home or in the configured file', () => {
    const text = [
      'targets:',
      '  - {name: one, endpoint: "https://one.example/"}',
      '  - {name: two, endpoint: "http://127.0.0.1:9110", credentialsFile: two.json, protocol: s3}',
    ].join('\n');
    expect(parse(text).targets).toEqual([
      {
        name: 'one',
        endpoint: 'https://one.example',
        region: 'us-east-1',
        addressing: 'path',
        credentials: { file: '/home/of/holdfast/credentials/one.json' },
      },
      {
        name: 'two',
        endpoint: 'http://127.0.0.1:9110',
        region: 'us-east-1',
        protocol: 's3',
        addressing: 'path',
        credentials: { file: '/etc/holdfast/two.json' },
      },
    ]);
  });

  it.each([
    ['amz', 's3'],
    ['"amz"', 's3'],
    ['svc', 'svc'],
  ])(
    'Holdfast reads the former key `dialect` with the value %s as protocol %s',
    (dialect, protocol) => {
      const text = [
        'targets:',
        `  - {name: one, endpoint: "https://one.example", dialect: ${dialect}}`,
        'clusters:',
        '  services:',
        '    - name: two',
        '      url: https://two.example',
        `      dialect: ${dialect}   # as before`,
      ].join('\n');
      const { targets, clusters } = parse(text);
      expect(targets).toMatchObject([{ name: 'one', protocol }]);
      expect(clusters.services).toMatchObject([{ name: 'two', protocol }]);
    },
  );

  it('Holdfast reports an invalid value of the former key `dialect` as an invalid `protocol`, with its line number', () => {
    const entry = 'targets:\n  - name: one\n    endpoint: "https://one.example"\n';
    expect(problemsOf(`${entry}    dialect: swift\n`)).toEqual([
      expect.stringMatching(/:4:\d+.*protocol: must be one of s3, svc, not "swift"/),
    ]);
    expect(problemsOf(`${entry}    protocol: s3\n    dialect: svc\n`)).toEqual([
      expect.stringMatching(/dialect: unknown key/),
    ]);
  });

  it('Holdfast reports all five mistakes of a configuration with their line numbers', () => {
    const text = [
      'logLevl: debug',
      'storage:',
      '  port: 99999',
      'jobs:',
      '  - name: photos',
      '    folder: ~/Photos',
      '    bucket: My_Photos',
      '  - name: photos',
      '    folder: ~/Music',
      '    bucket: music',
      '    target: ofsite',
      'targets:',
      '  - name: offsite',
      '    endpoint: https://offsite.example',
    ].join('\n');
    expect(problemsOf(text)).toEqual([
      '  1:1 logLevl: unknown key; did you mean logLevel?',
      '  3:9 storage.port: must be a whole number from 0 to 65535',
      expect.stringMatching(/^ {2}7:13 jobs\[0\]\.bucket: must be 3 to 63 lower-case letters/),
      '  8:11 jobs[1].name: is already the name of jobs[0]',
      '  11:13 jobs[1].target: unknown target; did you mean offsite?',
    ]);
    expect(() => parse(text)).toThrow(`read ${file}: 5 problems\n`);
  });

  it.each([
    ['an unknown key', 'colour: red', /1:1: colour: unknown key; known keys are region/],
    [
      'an unknown key of a lock',
      job('lock: {mode: GOVERNANCE, days: 1, refresh: 2}'),
      /jobs\[0\]\.lock\.refresh: unknown key/,
    ],
    [
      'a missing key',
      'jobs:\n  - name: a\n    folder: /a\n',
      /:2:5: jobs\[0\]\.bucket: is missing/,
    ],
    ['a duplicate key', 'region: a\nregion: b\n', /:2:1: Map keys must be unique/],
    ['text that is not YAML', 'jobs: [', /1:8: the closing \] is missing/],
    ['an unknown tag', 'region: !secret x', /Unresolved tag/],
    ['a document that is not a map', '- a', /1:1: must be a map of keys and values, not \["a"\]/],
    ['a map in place of a list', 'jobs: {a: 1}', /1:7: jobs: must be a list/],
    [
      'a number in place of a job',
      'jobs: [7]',
      /1:8: jobs\[0\]: must be a map of keys and values, not 7/,
    ],
    [
      'a number in place of a string',
      'region: 1',
      /region: must be a string, not 1 \(put it in quotes\)/,
    ],
    [
      'an unknown conflict policy',
      job('conflict: mine'),
      /must be one of keep-both, local, remote, ask, not "mine"/,
    ],
    [
      'an invalid port',
      'storage: {port: 80.5}',
      /storage\.port: must be a whole number from 0 to 65535/,
    ],
    [
      'a listener on all network addresses',
      'storage: {host: 0.0.0.0}',
      /storage\.host: must be a loopback address/,
    ],
    [
      'an IP address as a base name',
      'storage: {baseNames: [127.0.0.1]}',
      /must be a lower-case host name/,
    ],
    [
      'a base name in capitals',
      'storage: {baseNames: [LocalHost]}',
      /must be a lower-case host name/,
    ],
    ['a base name with a port', 'storage: {baseNames: ["a:1"]}', /must be a lower-case host name/],
    [
      'a base name that is too long',
      `storage: {baseNames: [${'a.'.repeat(99)}a]}`,
      /lower-case host/,
    ],
    [
      'a trusted proxy that is not a valid address',
      'storage: {trustedProxies: [10.0.0.0/40]}',
      /trustedProxies\[0\]: must be an address or a range, such as 10.0.0.0\/8/,
    ],
    [
      'an unknown setting of signatureV2',
      'storage: {signatureV2: always}',
      /signatureV2: must be one of presigned, off, headers, not "always"/,
    ],
    ['the vendor aws', 'vendor: aws', /vendor: must not be AWS/],
    ['an invalid vendor', 'vendor: "S V"', /vendor: must be a letter and up to 15/],
    [
      'an endpoint with a path',
      'targets: [{name: t, endpoint: "http://x/y"}]',
      /endpoint: must be http/,
    ],
    [
      'an endpoint with a password',
      'targets: [{name: t, endpoint: "http://a:b@x"}]',
      /endpoint: must be http/,
    ],
    [
      'a target named local',
      'targets: [{name: local, endpoint: "http://x"}]',
      /must not be local, which is the embedded store/,
    ],
    [
      'a job name that is a path',
      'jobs: [{name: ../a, folder: /a, bucket: aaa}]',
      /name: must be 1 to 63/,
    ],
    ['a prefix without a trailing slash', job('prefix: a'), /prefix: must be empty, or/],
    [
      'a lock of 40,000 days',
      job('lock: {mode: COMPLIANCE, days: 40000}'),
      /days: must be at most 36500/,
    ],
    [
      'a prefix inside the prefix of another job',
      `${job('prefix: a/')}  - {name: b, folder: /b, bucket: aaa, prefix: a/b/}`,
      /jobs\[1\]\.prefix: overlaps the destination of job a/,
    ],
    [
      'a bucket that another job uses',
      `${job('')}  - {name: b, folder: /b, bucket: aaa}`,
      /jobs\[1\]\.bucket: overlaps the destination of job a/,
    ],
    [
      'two jobs in one bucket of one service with two target names',
      'targets: [{name: s, endpoint: "http://x/"}, {name: t, endpoint: "http://x"}]\njobs: [{name: a, folder: /a, bucket: aaa, target: s}, {name: b, folder: /b, bucket: aaa, target: t}]',
      /jobs\[1\]\.bucket: overlaps the destination of job a/,
    ],
    [
      'the same folder twice',
      `${job('')}  - {name: b, folder: /a/, bucket: bbb}`,
      /jobs\[1\]\.folder: is already mirrored by job a/,
    ],
    [
      'a folder inside the folder of another job with the same target',
      `${job('')}  - {name: b, folder: /a/b, bucket: bbb}`,
      /jobs\[1\]\.folder: overlaps \/a, which job a mirrors/,
    ],
    ['a file larger than 1 MiB', 'x'.repeat(1024 * 1024 + 1), /larger than 1048576 bytes/],
  ])('Holdfast refuses a configuration with %s', (_, text, message) => {
    expect(() => parse(text)).toThrow(ConfigError);
    expect(() => parse(text)).toThrow(message);
  });

  it.each([
    [
      'two jobs that mirror one folder to two targets',
      'targets: [{name: t, endpoint: "http://x"}]\njobs: [{name: a, folder: /a, bucket: aaa}, {name: b, folder: /a, bucket: aaa, target: t}]',
    ],
    [
      'two jobs with separate prefixes in one bucket',
      'jobs: [{name: a, folder: /a, bucket: aaa, prefix: a/}, {name: b, folder: /b, bucket: aaa, prefix: ab/}]',
    ],
    [
      'two folders of which one name starts with the other',
      'jobs: [{name: a, folder: /a, bucket: aaa}, {name: b, folder: /ab, bucket: bbb}]',
    ],
  ])('Holdfast accepts %s in a configuration', (_, text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it('Holdfast checks jobs for conflicts with each other even if other settings of the jobs are invalid', () => {
    const text = `${job('prefix: wrong')}  - {name: a, folder: /a, bucket: BBB}`;
    expect(problemsOf(text)).toHaveLength(4);
  });

  it('property: Holdfast throws only ConfigError for any configuration text', () => {
    const words = fc.constantFrom(
      'jobs',
      ':',
      ' ',
      '\n',
      '- ',
      'name',
      'a',
      '[',
      ']',
      '{',
      '}',
      '1',
      '~',
      '&a',
      '*a',
      '|',
      '#',
      '"',
      'null',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
        try {
          parse(parts.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
        }
      }),
    );
  });
});

describe('loading the configuration file', () => {
  it('Holdfast treats a missing configuration file as empty', async () => {
    const absent = resolveHome({ homeFlag: temporaryFolder(), env: {}, cwd: '/' });
    expect((await loadConfig(absent)).jobs).toEqual([]);
  });

  it('Holdfast reports a folder at the path of the configuration file', async () => {
    const there = resolveHome({ homeFlag: temporaryFolder(), env: {}, cwd: '/' });
    mkdirSync(there.configFile);
    await expect(loadConfig(there)).rejects.toThrow(ConfigError);
  });
});

describe('bucket names in the configuration', () => {
  it('Holdfast accepts exactly the bucket names that the store accepts', () => {
    const characters = fc.constantFrom('a', 'z', '0', '9', '.', '-', 'A', '_', 'é', '/');
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 66 }), (name) => {
        expect(isBucketName(name)).toBe(!throws(() => checkBucketName(name)));
      }),
      {
        numRuns: 2_000,
        examples: [
          ['1.2.3.4'],
          ['a.b'],
          ['a--b'],
          ['a.-b'],
          ['a..b'],
          ['ab'],
          ['a'.repeat(63)],
          ['a'.repeat(64)],
        ],
      },
    );
  });
});

function throws(run: () => void): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}

describe('config.example.yaml', () => {
  const text = readFileSync(new URL('../../../config.example.yaml', import.meta.url), 'utf8');
  /**
   * The text with every optional setting (`#key: value`) uncommented. Explanations (`# words`) stay
   * comments.
   */
  const allOn = text.replaceAll(/^( *)#(?=\S)/gm, '$1');

  it('config.example.yaml is a valid configuration', () => {
    expect(problemsOf(text)).toEqual([]);
  });

  it('config.example.yaml is valid with every optional setting enabled', () => {
    expect(problemsOf(allOn, testHome)).toEqual([]);
  });

  it('config.example.yaml contains every option', () => {
    const { jobs, targets, ...top } = parse(allOn, testHome);
    const shown = [
      top,
      top.storage,
      top.metrics,
      ...jobs,
      ...jobs.map((each) => each.lock ?? {}),
      ...targets,
    ];
    for (const key of shown.flatMap((piece) => Object.keys(piece))) {
      expect(text).toMatch(new RegExp(`\\b${key}:`));
    }
    expect(jobs[0]?.lock).toBeDefined();
  });
});

describe('test-only settings', () => {
  const text = 'storage:\n  upkeep: {lifecycleDaySeconds: 10}\n';

  it('[lc-60] Holdfast refuses a test-only setting without HOLDFAST_TEST_MODE=1', () => {
    expect(problemsOf(text)).toEqual([
      expect.stringMatching(
        /storage\.upkeep\.lifecycleDaySeconds: is for tests only: .*HOLDFAST_TEST_MODE=1/,
      ),
    ]);
  });

  it('[lc-60] Holdfast accepts a lifecycle day of 1 to 86400 seconds with HOLDFAST_TEST_MODE=1', () => {
    expect(parse(text, testHome).storage.upkeep.lifecycleDaySeconds).toBe(10);
    for (const bad of ['0', '86401', '1.5'])
      expect(() => parse(text.replace('10', bad), testHome)).toThrow(ConfigError);
  });
});
