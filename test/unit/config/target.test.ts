/**
 * Tests of the settings of the connection to a target: certificate authorities, proxy and
 * addressing.
 */

import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readCaFile } from '../../../src/config/ca-file.ts';
import { resolveHome } from '../../../src/config/home.ts';
import { loadConfig, parseConfig } from '../../../src/config/load.ts';
import { makeCertificate } from '../../helpers/certificate.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const home = resolveHome({ homeFlag: '/home/of/holdfast', env: {}, cwd: '/' });

const parse = (members: string, file = '/etc/holdfast/config.yaml') =>
  parseConfig(`targets:\n  - {name: one, endpoint: "https://one.example", ${members}}\n`, {
    file,
    home,
  }).targets[0];

/**
 * Creates a folder with `ca.pem` and returns the paths of that file and of a configuration in the
 * same folder.
 */
function folderWith(pem: string) {
  const folder = temporaryFolder('ca');
  writeFileSync(join(folder, 'ca.pem'), pem);
  return { ca: join(folder, 'ca.pem'), config: join(folder, 'config.yaml') };
}

describe('certificate authorities of a target', () => {
  it('Holdfast resolves the caFile of a target relative to the configuration', () => {
    const { cert } = makeCertificate();
    const { ca, config } = folderWith(`an authority of ours\n${cert}${makeCertificate().cert}`);
    expect(parse('caFile: ca.pem', config)).toMatchObject({ caFile: ca });
    expect(parse(`caFile: ${ca}`)).toMatchObject({ caFile: ca });
    expect(readCaFile(ca)).toContain(cert);
  });

  it.each([
    ['', 'contains no PEM certificate'],
    [makeCertificate().key, 'contains no PEM certificate'],
    [makeCertificate().cert.slice(0, 200), 'contains no PEM certificate'],
    [makeCertificate().cert.replace('MII', 'AAA'), 'contains an invalid certificate'],
    [
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'contains an invalid certificate',
    ],
    ['#'.repeat(1024 * 1024 + 1), 'is larger than 1048576 bytes'],
  ])('Holdfast refuses a caFile with the content %j', (pem, message) => {
    const { ca } = folderWith(pem);
    expect(() => readCaFile(ca)).toThrow(message);
  });

  it('Holdfast checks every caFile when the configuration is loaded', async () => {
    const { config } = folderWith('nothing');
    const target = (name: string, caFile: string) =>
      `  - {name: ${name}, endpoint: "https://one.example", caFile: ${caFile}}`;
    writeFileSync(config, ['targets:', target('a', 'ca.pem'), target('b', 'no.pem')].join('\n'));
    const load = loadConfig(resolveHome({ homeFlag: dirname(config), env: {}, cwd: '/' }));
    const error = await load.catch((each: unknown) => each);
    expect(error).toMatchObject({
      problems: [
        { path: 'targets[0].caFile', message: expect.stringMatching(/ca.pem: it contains no/) },
        {
          path: 'targets[1].caFile',
          message: expect.stringMatching(/no.pem: the file does not exist/),
        },
      ],
    });
  });
});

describe('proxy and addressing of a target', () => {
  it.each([
    ['proxy: none', { proxy: 'none' }],
    ['proxy: "http://proxy.example:3128"', { proxy: 'http://proxy.example:3128' }],
    ['addressing: virtual', { addressing: 'virtual' }],
  ])('Holdfast accepts the target setting %s', (members, target) => {
    expect(parse(members)).toMatchObject(target);
  });

  it.each([
    ['proxy: "socks5://proxy.example"', /proxy: must be none, http/],
    ['proxy: "http://ada:secret@proxy.example"', /a proxy with a password by the variable/],
    ['proxy: ""', /proxy: must be none, http/],
    ['addressing: host', /addressing: must be one of path, virtual/],
  ])('Holdfast refuses the target setting %s', (members, message) => {
    expect(() => parse(members)).toThrow(message);
  });
});
