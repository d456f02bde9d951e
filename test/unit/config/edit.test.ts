import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { changeSource } from '../../../src/config/change-source.ts';
import { ConfigError } from '../../../src/config/config-error.ts';
import { readCredentials, writeCredentials } from '../../../src/config/credentials.ts';
import {
  addJob,
  addJobWithTarget,
  addTarget,
  removeJob,
  renameTarget,
  setJobPaused,
} from '../../../src/config/edit.ts';
import { resolveHome } from '../../../src/config/home.ts';
import type { Home } from '../../../src/config/home.ts';
import { parseConfig } from '../../../src/config/load.ts';
import { writeAtomically } from '../../../src/config/write-atomically.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const COMMENTED = `# mine
region: us-east-1   # of the office

jobs: # all of them
  # papers first
  - name: papers
    folder: /papers   # on the big disk
    bucket: papers
    exclude:
      - "*.bak"

  # then music
  - bucket: music
    name:   music
    folder: '/music'
    # not at night

# the end
logLevel: debug
`;

const entry = { name: 'new', folder: '/new', bucket: 'new-bucket' };

function homeWith(text?: string): Home {
  const home = resolveHome({ homeFlag: temporaryFolder(), env: {}, cwd: '/' });
  if (text !== undefined) writeFileSync(home.configFile, text);
  return home;
}

const textOf = (home: Home) => readFileSync(home.configFile, 'utf8');
const parse = (text: string) =>
  parseConfig(text, {
    file: '/config.yaml',
    home: resolveHome({ homeFlag: '/of-holdfast/home', env: {}, cwd: '/' }),
  });

const SEVERAL = `targets:
  - {name: eu, endpoint: "https://eu.example"}
  - {name: usb, endpoint: "https://usb.example"}
jobs:
  - name: papers
    folder: /papers
    bucket: papers
    also:  # elsewhere
      # over the sea
      - target: eu
        bucket: papers-eu
      - bucket: papers-usb
        target: usb   # in the drawer
`;

it('the configuration editor replaces the former key `dialect` with `protocol` in an edit and keeps all other lines', async () => {
  const old = `# services
targets:
  - name:   far      # the spaces are kept

    dialect: amz   # as AWS
    endpoint: "https://far.example"
  - {name: near,   endpoint: 'https://near.example'}   # in the cellar
`;
  const home = homeWith(old);
  const { targets } = await addJob(home, { ...entry, target: 'far' });
  expect(targets).toMatchObject([{ name: 'far', protocol: 's3' }, { name: 'near' }]);
  expect(textOf(home)).toContain(old.replace('dialect: amz   #', 'protocol: s3 #'));
});

describe('renaming a target', () => {
  const jobs = `jobs:
  - {name: a, folder: /a, bucket: aaa, target: far}
  - name: b
    folder: /b
    bucket: bbb
    also: # elsewhere
      - target: far   # over the sea
        bucket: b-far
      - {target: near}
`;
  const near = '  - {name: near, endpoint: "https://near.example"}\n';

  it.each([
    ['', ''],
    [
      '\n    credentials:\n      file: /keys/far.json',
      '\n    credentials:\n      file: /keys/new.json',
    ],
    ['\n    credentialsFile: far.json   # mine', '\n    credentialsFile: /keys/new.json   # mine'],
  ])(
    'the configuration editor replaces the name of a target in its jobs too, with the key %j',
    async (key, renamed) => {
      const textWith = (name: string, of: string) =>
        `targets:\n  # far away\n  - name: ${name}   # the first${of}\n    endpoint: "https://far.example"\n${near}` +
        jobs.replaceAll('target: far', `target: ${name}`);
      const home = homeWith(textWith('far', key));
      const keyFile = '/keys/new.json';
      const config = await renameTarget(home, { from: 'far', to: 'new', keyFile });
      // The changed lines lose their extra spaces.
      const bare = (text: string) => text.replaceAll(/\s/g, '');
      expect(bare(textOf(home))).toBe(bare(textWith('new', renamed)));
      expect(config.jobs.map(({ name, target }) => [name, target])).toEqual([
        ['a', 'new'],
        ['b', 'local'],
        ['b@new', 'new'],
        ['b@near', 'near'],
      ]);
    },
  );

  it('the configuration editor refuses to rename a target to a name that another target has, or if a job uses its name through a YAML anchor', async () => {
    const text = `targets:\n  - {name: &far far, endpoint: "https://far.example"}\n${near}`;
    const home = homeWith(text);
    await expect(renameTarget(home, { from: 'far', to: 'near' })).rejects.toThrow(ConfigError);
    const job = 'jobs:\n  - {name: a, folder: /a, bucket: aaa, target: *far}\n';
    const aliased = homeWith(text + job);
    await expect(renameTarget(aliased, { from: 'far', to: 'new' })).rejects.toThrow('anchor');
    expect([textOf(home), textOf(aliased)]).toEqual([text, text + job]);
  });
});

describe('jobs with several targets', () => {
  it('the configuration editor pauses and removes the targets of a job one by one, or all with the job', async () => {
    const home = homeWith(SEVERAL);
    const { jobs } = await setJobPaused(home, 'papers@usb', true);
    expect(jobs.map(({ name, paused }) => [name, paused])).toEqual([
      ['papers', false],
      ['papers@eu', false],
      ['papers@usb', true],
    ]);
    const line = '        target: usb   # in the drawer\n';
    expect(textOf(home)).toBe(SEVERAL.replace(line, `${line}        paused: true\n`));
    await setJobPaused(home, 'papers@usb', false);
    await removeJob(home, 'papers@usb');
    expect(textOf(home)).toBe(SEVERAL.replace(/ {6}- bucket: papers-usb[^]*/, ''));
    const left = await removeJob(home, 'papers@eu');
    expect(left.jobs.map(({ name }) => name)).toEqual(['papers']);
    expect(textOf(home)).toContain('also:  # elsewhere\n      # over the sea\n      []\n');
    const all = homeWith(SEVERAL);
    expect((await removeJob(all, 'papers')).jobs).toEqual([]);
  });

  it.each(['papers@nowhere', 'letters@eu', '@eu', 'papers@'])(
    'the configuration editor refuses to remove %s because no job has that target',
    async (name) => {
      const home = homeWith(SEVERAL);
      await expect(removeJob(home, name)).rejects.toThrow('no such entry');
      expect(textOf(home)).toBe(SEVERAL);
    },
  );
});

describe('the configuration editor', () => {
  it('the configuration editor appends a new job and changes no other line', async () => {
    const home = homeWith(COMMENTED);
    const config = await addJob(home, { ...entry, exclude: ['*.o'] });
    expect(config.jobs.map((job) => job.name)).toEqual(['papers', 'music', 'new']);
    const added =
      '  - name: new\n    folder: /new\n    bucket: new-bucket\n    exclude:\n      - "*.o"\n';
    expect(textOf(home)).toBe(
      COMMENTED.replace('    # not at night\n', `    # not at night\n${added}`),
    );
  });

  it('the configuration editor removes the lines of a job and keeps the comments of the other jobs', async () => {
    const home = homeWith(COMMENTED);
    await removeJob(home, 'music');
    expect(textOf(home)).toBe(COMMENTED.replace(/  - bucket: music[^]*at night\n/, ''));
    await removeJob(home, 'papers');
    expect(parse(textOf(home)).jobs).toEqual([]);
    expect(textOf(home)).toContain('jobs: # all of them\n  # papers first\n  []\n');
  });

  it('the configuration editor changes only the lines of the job that is paused or resumed', async () => {
    const home = homeWith(COMMENTED);
    expect((await setJobPaused(home, 'music', true)).jobs[1]?.paused).toBe(true);
    const paused = COMMENTED.replace('name:   music\n', 'name:   music\n    paused: true\n');
    expect(textOf(home)).toBe(paused);
    expect((await setJobPaused(home, 'music', false)).jobs[1]?.paused).toBe(false);
    expect(textOf(home)).toBe(paused.replace('paused: true', 'paused: false'));
  });

  it('the configuration editor creates a missing configuration with access only for its owner', async () => {
    const home = homeWith();
    await addTarget(home, { name: 'far', endpoint: 'https://far.example' });
    const config = await addJob(home, { ...entry, target: 'far' });
    expect(config.jobs[0]?.target).toBe('far');
    expect(config.targets[0]?.name).toBe('far');
    expect(statSync(home.configFile).mode & 0o777).toBe(0o600);
    expect(textOf(home)).toMatch(/^# .*\ntargets:\n {2}- name: far\n.*\njobs:\n {2}- name: new\n/);
  });

  it.each([
    ['{region: us-east-1}'],
    ['jobs: [{name: a, folder: /a, bucket: aaa}]'],
    ['jobs:\n  - {name: a, folder: /a, bucket: aaa}\n'],
    ['jobs:\n- name: a\n  folder: /a\n  bucket: aaa'],
    ['jobs:'],
    ['jobs:\r\n  - name: a\r\n    folder: /a\r\n    bucket: aaa\r\n'],
    ['region: us-east-1'],
    ['%YAML 1.2\n---\njobs: []\n...\n'],
    ['"jobs": []\n'],
  ])('the configuration editor adds, pauses and removes a job in the file %j', async (text) => {
    const home = homeWith(text);
    const before = parse(text).jobs.map((job) => job.name);
    await addJob(home, entry);
    expect((await setJobPaused(home, 'new', true)).jobs.at(-1)?.paused).toBe(true);
    const after = await removeJob(home, 'new');
    expect(after.jobs.map((job) => job.name)).toEqual(before);
    if (text.includes('\r')) expect(textOf(home)).toBe(text);
  });

  it.each([
    ['an alias', 'exclude: *private   # as above', { exclude: ['secret/'] }],
    ['a map in braces', 'lock: {mode: GOVERNANCE,   days: 30}', { lock: { days: 30 } }],
    ['a block scalar', 'prefix: |-\n         b/', { prefix: 'b/' }],
  ])(
    'the configuration editor keeps the line of %s and its meaning when the job is paused',
    (_, line, expected) => {
      const text = `# anchors come first
jobs:
     - name: first
       folder: /first
       bucket: first-bucket
       exclude: &private   # of the family
           - secret/
     - {name: second, folder: /second,   bucket: second-bucket, conflict: local}
     - folder: /new
       name: new   # the last one
       bucket: new-bucket
       ${line}


# the end
`;
      const change = { list: 'jobs', name: 'new', key: 'paused', value: true } as const;
      const paused = changeSource(text, { kind: 'set', ...change }) ?? '';
      const inserted = text.replace('# the last one\n', '# the last one\n       paused: true\n');
      expect(paused).toBe(inserted);
      expect(parse(paused).jobs.at(-1)).toMatchObject({ ...expected, paused: true });
    },
  );

  it('the configuration editor keeps comments, key order and anchors of a file with mixed indentation', () => {
    const text = `jobs: # mine
    -   name: papers   # the first
        folder: /papers
        exclude: &private
          - "*.bak"   # of the editor
        # not in the cellar
        bucket: papers
    -   bucket: music
        name: music
        folder: /music
        exclude: *private
`;
    const change = { list: 'jobs', name: 'music', key: 'lock' } as const;
    const value = { mode: 'GOVERNANCE', days: 30 };
    const changed = changeSource(text, { kind: 'set', ...change, value }) ?? '';
    const [papers, music] = parse(text).jobs;
    expect(parse(changed).jobs).toEqual([
      papers,
      { ...music, lock: expect.objectContaining(value) },
    ]);
    const order =
      /mine.*papers.*first.*papers.*&private.*bak.*editor.*cellar.*bucket.*bucket.*name.*lock.*folder.*\*private/s;
    expect(changed).toMatch(order);
  });

  it.each([
    [undefined, /^# .*\nstorage:\n {2}port: 0\njobs:\n {2}- name: new\n/],
    ['storage:\njobs: []\n', /^storage:\n {2}port: 0\njobs:\n {2}- name: new\n/],
    ['# mine\nstorage: {port: 9010} # local\n', /^# mine\nstorage: \{ ?port: 0 ?\} # local\njobs:/],
    [
      'storage:\n  # loopback\n  host: "::1"\nregion: us-east-1\n',
      /^storage:\n {2}# loopback\n {2}host: "::1"\n {2}port: 0\nregion: us-east-1\njobs:/,
    ],
  ])(
    'the configuration editor sets the port of the store in %j when the first job is added, and keeps all other lines',
    async (text, expected) => {
      const home = homeWith(text);
      const { storage, jobs } = await addJobWithTarget(home, { job: entry, storagePort: 0 });
      expect(storage.port).toBe(0);
      expect(jobs).toHaveLength(1);
      expect(textOf(home)).toMatch(expected);
    },
  );

  it("the configuration editor refuses to set the store's port in a section that is a YAML alias, because the edit would change another section", async () => {
    const text = 'clusters: &local {host: 127.0.0.1, port: 9010}\nstorage: *local\n';
    const home = homeWith(text);
    const added = addJobWithTarget(home, { job: entry, storagePort: 0 });
    await expect(added).rejects.toThrow('storage is an alias, so port cannot be set there');
    expect(textOf(home)).toBe(text);
  });

  it('the configuration editor refuses an edit that would make the configuration invalid', async () => {
    const home = homeWith(COMMENTED);
    await expect(addJob(home, { ...entry, name: 'music' })).rejects.toThrow(
      /is already the name of jobs\[1\]/,
    );
    await expect(addJob(home, { ...entry, bucket: 'UPPER' })).rejects.toThrow(ConfigError);
    await expect(removeJob(home, 'nobody')).rejects.toThrow(/the list jobs has no such entry/);
    expect(textOf(home)).toBe(COMMENTED);
    expect(readdirSync(dirname(home.configFile))).toEqual(['config.yaml']);
  });

  it('the configuration editor refuses to edit an invalid configuration and reports its problems', async () => {
    const home = homeWith('regio: x\n');
    await expect(addJob(home, entry)).rejects.toThrow(
      /1:1: regio: unknown key; did you mean region/,
    );
    expect(textOf(home)).toBe('regio: x\n');
  });

  it('the configuration editor runs concurrent edits of a configuration one after the other', async () => {
    const home = homeWith();
    const names = Array.from({ length: 20 }, (_, index) => `job-${index}`);
    await Promise.all(
      names.map((name) => addJob(home, { name, folder: `/${name}`, bucket: name })),
    );
    expect(parse(textOf(home)).jobs.map((job) => job.name)).toEqual(names);
  });

  it('the configuration editor edits the target file if the configuration is a symbolic link', async () => {
    const home = homeWith();
    const real = join(home.root ?? '', 'elsewhere.yaml');
    writeFileSync(real, 'jobs: []\n');
    symlinkSync(real, home.configFile);
    await addJob(home, entry);
    expect(lstatSync(home.configFile).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toContain('name: new');
  });

  it('property: removing an added job restores the original text', () => {
    const job = fc.record({
      name: fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/),
      comment: fc.constantFrom('', '  # papers\n', '\n', '\n\n  # ---\n'),
      inner: fc.constantFrom(
        '',
        '    # inner\n',
        '    exclude: [a, "b"]\n',
        '    exclude:\n      - x\n',
        '    paused: true # yes\n',
        '    exclude:\n      - |-\n        block\n',
      ),
    });
    const files = fc.record({
      head: fc.constantFrom('', '# head\n', 'region: eu-west-1\n\n'),
      jobs: fc.uniqueArray(job, { maxLength: 4, selector: (each) => each.name }),
      tail: fc.constantFrom(
        '',
        '\n',
        '# tail\n',
        '\n# tail',
        'logLevel: warn',
        'targets:\n  - name: t\n    endpoint: http://t\n',
      ),
      indent: fc.constantFrom('', '  ', '      '),
      eol: fc.constantFrom('\n', '\r\n'),
    });
    fc.assert(
      fc.property(files, ({ head, jobs, tail, indent, eol }) => {
        const lines = jobs.map(
          ({ name, comment, inner }) =>
            `${comment}  - name: ${name}\n    folder: /${name}\n    bucket: bucket-${name}\n${inner}`,
        );
        const body = lines.join('').replaceAll(/^  (?=.)/gm, indent);
        const text = `${head}jobs:${jobs.length > 0 ? '' : ' []'}\n${body}${tail}`.replaceAll(
          '\n',
          eol,
        );
        const name = 'NEW';
        const added =
          changeSource(text, { kind: 'add', list: 'jobs', entry: { ...entry, name } }) ?? '';
        expect(parse(added).jobs.map((each) => each.name)).toEqual([
          ...jobs.map((each) => each.name),
          name,
        ]);
        expect(changeSource(added, { kind: 'remove', list: 'jobs', name })).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

describe('atomic writes of a file', () => {
  it('a cancelled atomic write keeps the old file and leaves no temporary file', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'config.yaml');
    writeFileSync(file, 'old');
    const changed = new Error('another program changed it');
    const writing = writeAtomically(file, 'new', () => Promise.reject(changed));
    await expect(writing).rejects.toBe(changed);
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['config.yaml']);
  });

  it('the error for an atomic write to a missing folder names the file', async () => {
    const file = join(temporaryFolder(), 'gone', 'config.yaml');
    await expect(writeAtomically(file, 'new')).rejects.toThrow(ConfigError);
    await expect(writeAtomically(file, 'new')).rejects.toThrow(`write ${file}: a file or folder`);
  });
});

describe('credentials files', () => {
  const credentials = { accessKeyId: 'a:b@c', secretAccessKey: 'quite secret' };

  it('Holdfast reads written credentials back unchanged and gives only their owner access', async () => {
    const file = join(temporaryFolder(), 'far.json');
    await writeCredentials(file, credentials);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readCredentials(file)).toEqual(credentials);
  });

  it.each([
    [
      'in a file that other users may read',
      JSON.stringify(credentials),
      0o640,
      /other users may read it; run: chmod 600/,
    ],
    ['in an unknown JSON form', '{"accessKeyId": 1}', 0o600, /it has no access key: write JSON/],
    ['that are not JSON', 'quite secret', 0o600, /it has no access key: write JSON/],
  ])('Holdfast refuses credentials %s and does not quote them', (_, text, mode, message) => {
    const file = join(temporaryFolder(), 'far.json');
    writeFileSync(file, text);
    chmodSync(file, mode);
    expect(() => readCredentials(file)).toThrow(message);
    expect(() => readCredentials(file)).not.toThrow(/quite secret/);
  });

  it('the error for a missing credentials file names the file', () => {
    expect(() => readCredentials('/nowhere/far.json')).toThrow(
      'read credentials /nowhere/far.json: the file does not exist',
    );
  });
});
