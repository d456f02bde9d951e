import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  IMAGE_HEAD_BYTES,
  IMAGE_TAIL_BYTES,
  recogniseImage,
} from '../../../src/object-store/image-format.ts';

const SECTOR = 512;
const recognise = (bytes: Buffer) =>
  recogniseImage({
    head: bytes.subarray(0, IMAGE_HEAD_BYTES),
    tail: bytes.subarray(-IMAGE_TAIL_BYTES),
    sizeBytes: bytes.length,
  });
const disk = (sectors = 64) => Buffer.alloc(sectors * SECTOR, 0);
const withAt = (bytes: Buffer, ...writes: [at: number, what: Buffer | string][]) => {
  for (const [at, what] of writes) Buffer.from(what as string, 'latin1').copy(bytes, at);
  return bytes;
};
const be32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const le32 = (value: number) => be32(value).reverse();

const mbr = (sectors?: number) =>
  withAt(
    disk(sectors),
    [446, '\x80'],
    [446 + 4, '\x83'],
    [446 + 8, le32(2048)],
    [446 + 12, le32(4096)],
    [510, '\x55\xaa'],
  );
const gpt = (sector: number) => withAt(disk(), [510, '\x55\xaa'], [sector, 'EFI PART']);

function vhdFooter(type: number): Buffer {
  const footer = withAt(Buffer.alloc(SECTOR), [0, 'conectix'], [60, be32(type)]);
  const sum = footer.reduce((total, byte) => total + byte, 0);
  return withAt(footer, [64, be32(~sum >>> 0)]);
}

function tar(name: string): Buffer {
  const header = withAt(
    Buffer.alloc(SECTOR),
    [0, name],
    [100, '0000644\0'],
    [148, '        '],
    [257, 'ustar\0'],
  );
  const sum = header.reduce((total, byte) => total + byte, 0);
  withAt(header, [148, `${sum.toString(8).padStart(6, '0')}\0 `]);
  return Buffer.concat([header, disk(4)]);
}

const qcow = (version: number, backing = 0) =>
  withAt(disk(), [0, 'QFI\xfb'], [4, be32(version)], [12, be32(backing)]);
const vmdk = (version: number, flags = 3) =>
  withAt(disk(), [0, 'KDMV'], [4, le32(version)], [8, le32(flags)]);

const BOTH = ['disk snapshot', 'machine image'];

describe('[image-1] disk snapshots and machine images', () => {
  test.each([
    ['VMDK', 'sparse', vmdk(1)],
    ['VMDK', 'stream-optimised', vmdk(3, 0x30001)],
    ['VMDK', 'sparse, ESX', withAt(disk(), [0, 'COWD'])],
    ['VHD', 'dynamic', Buffer.concat([vhdFooter(3), disk(), vhdFooter(3)])],
    ['VHD', 'dynamic', Buffer.concat([vhdFooter(3), disk()])],
    ['VHD', 'fixed', Buffer.concat([disk(), vhdFooter(2)])],
    ['VHD', 'fixed', Buffer.concat([mbr(), vhdFooter(2)])],
    ['VHD', 'fixed', Buffer.concat([gpt(512), vhdFooter(2)])],
    ['QCOW2', 'version 2', qcow(2)],
    ['QCOW2', 'version 3', qcow(3)],
    ['RAW', 'MBR', mbr()],
    ['RAW', 'GPT', gpt(512)],
    ['RAW', 'GPT', gpt(4096)],
  ])(
    'Holdfast recognizes an image of the format %s (%s) as a disk snapshot and a machine image: case %#',
    (format, variant, bytes) => {
      expect(recognise(bytes)).toEqual({ format, variant, servesAs: BOTH });
    },
  );
});

test('[image-2] Holdfast recognizes an OVA file, a tar archive that starts with its OVF description, only as a machine image', () => {
  expect(recognise(tar('vm.ovf'))).toEqual({
    format: 'OVA',
    variant: 'vm.ovf',
    servesAs: ['machine image'],
  });
});

test.each([
  ['a QCOW2 image with a backing file', 'QCOW2', qcow(3, 104)],
  ['a differencing VHD image', 'VHD', Buffer.concat([vhdFooter(4), disk(), vhdFooter(4)])],
  ['a VMDK descriptor file', 'VMDK', Buffer.from('# Disk DescriptorFile\nversion=1\n')],
])(
  '[image-3] Holdfast recognizes %s, but not as a complete disk snapshot or machine image',
  (_, format, bytes) => {
    expect(recognise(bytes)).toMatchObject({ format, servesAs: [] });
  },
);

describe('[image-4] content that is not a supported image', () => {
  const broken = vhdFooter(2);
  broken[100] = 1;
  const notTar = tar('vm.ovf');
  notTar[148] = 0x37;
  test.each([
    ['an empty file is not recognized as an image', Buffer.alloc(0)],
    ['a file of zeros is not recognized as an image', disk()],
    ['a file of one byte is not recognized as an image', Buffer.from('Q')],
    [
      'a text that contains image signatures is not recognized as an image',
      Buffer.from('conectix QFI KDMV'),
    ],
    ['a QCOW image of version 1 is not recognized', qcow(1)],
    ['a QCOW image of an unknown later version is not recognized', qcow(4)],
    ['a VMDK image of an unknown later version is not recognized', vmdk(9)],
    ['a VHD footer with a wrong checksum is not recognized', Buffer.concat([disk(), broken])],
    ['a VHD image of an unknown type is not recognized', Buffer.concat([disk(), vhdFooter(7)])],
    ['a tar archive without a machine image is not recognized', tar('readme.txt')],
    ['a tar header with a wrong checksum is not recognized', notTar],
    [
      'a volume with a boot signature but no partition is not recognized',
      withAt(disk(), [510, '\x55\xaa']),
    ],
    [
      'a text in place of the partition table is not recognized',
      withAt(disk(), [446, 'hello'], [510, '\x55\xaa']),
    ],
    ['a disk image that ends within a sector is not recognized', mbr().subarray(0, -1)],
  ])('%s', (_, bytes) => {
    expect(recognise(bytes)).toBeUndefined();
  });

  test('Holdfast throws no error for any bytes when it detects the image format', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1200 }), fc.nat(), (bytes, sizeBytes) => {
        const name = Buffer.from(bytes);
        recogniseImage({ head: name, tail: name, sizeBytes });
        recogniseImage({ head: withAt(Buffer.from(name), [0, 'QFI\xfb']), tail: name, sizeBytes });
      }),
    );
  });
});
