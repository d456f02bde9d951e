/** How a target is reached and trusted: its addressing, its proxy and its authorities. */

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

/** A folder with `ca.pem` in it, and the configuration's place there. */
function folderWith(pem: string) {
  const folder = temporaryFolder('ca');
  writeFileSync(join(folder, 'ca.pem'), pem);
  return { ca: join(folder, 'ca.pem'), config: join(folder, 'config.yaml') };
}

describe('the authorities of a target', () => {
  it('are a file beside the configuration, or wherever it says', () => {
    const { cert } = makeCertificate();
    const { ca, config } = folderWith(`an authority of ours\n${cert}${makeCertificate().cert}`);
    expect(parse('caFile: ca.pem', config)).toMatchObject({ caFile: ca });
    expect(parse(`caFile: ${ca}`)).toMatchObject({ caFile: ca });
    expect(readCaFile(ca)).toContain(cert);
  });

  it.each([
    ['', 'holds no certificate in PEM'],
    [makeCertificate().key, 'holds no certificate in PEM'],
    [makeCertificate().cert.slice(0, 200), 'holds no certificate in PEM'],
    [makeCertificate().cert.replace('MII', 'AAA'), 'holds an invalid certificate'],
    [
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'holds an invalid certificate',
    ],
    ['#'.repeat(1024 * 1024 + 1), 'is larger than 1048576 bytes'],
  ])('are refused when the file is %j', (pem, message) => {
    const { ca } = folderWith(pem);
    expect(() => readCaFile(ca)).toThrow(message);
  });

  it('are checked when the configuration is loaded, all of them', async () => {
    const { config } = folderWith('nothing');
    const target = (name: string, caFile: string) =>
      `  - {name: ${name}, endpoint: "https://one.example", caFile: ${caFile}}`;
    writeFileSync(config, ['targets:', target('a', 'ca.pem'), target('b', 'no.pem')].join('\n'));
    const load = loadConfig(resolveHome({ homeFlag: dirname(config), env: {}, cwd: '/' }));
    const error = await load.catch((each: unknown) => each);
    expect(error).toMatchObject({
      problems: [
        { path: 'targets[0].caFile', message: expect.stringMatching(/ca.pem: it holds no/) },
        {
          path: 'targets[1].caFile',
          message: expect.stringMatching(/no.pem: the file does not exist/),
        },
      ],
    });
  });
});

describe('the way to a target', () => {
  it.each([
    ['proxy: none', { proxy: 'none' }],
    ['proxy: "http://proxy.example:3128"', { proxy: 'http://proxy.example:3128' }],
    ['addressing: virtual', { addressing: 'virtual' }],
  ])('may be %s', (members, target) => {
    expect(parse(members)).toMatchObject(target);
  });

  it.each([
    ['proxy: "socks5://proxy.example"', /proxy: must be none, or http/],
    ['proxy: "http://ada:secret@proxy.example"', /a password belongs into the environment/],
    ['proxy: ""', /proxy: must be none, or http/],
    ['addressing: host', /addressing: must be one of path, virtual/],
  ])('may not be %s', (members, message) => {
    expect(() => parse(members)).toThrow(message);
  });
});
