/**
 * Recognizes the disk image format of an object from its content, regardless of its name (specification, "Formats of
 * console snapshot/image creation"). Reads only the object's first and last bytes.
 */

export type ImageFormat = 'OVA' | 'QCOW2' | 'RAW' | 'VHD' | 'VMDK';

/** What the console can create from a disk image. */
export type ImageUse = 'disk snapshot' | 'machine image';

export interface RecognisedImage {
  readonly format: ImageFormat;
  /** The variant of the format, as shown to users: `dynamic`, `GPT`. */
  readonly variant: string;
  /** What the console can create from this image. Empty if the image needs data from a second file or image. */
  readonly servesAs: readonly ImageUse[];
}

/**
 * The number of bytes to read from the beginning of the object. They contain a boot record and the header of a GUID
 * partition table, even if sectors have 4 KiB.
 */
export const IMAGE_HEAD_BYTES = 4096 + 512;
/** The number of bytes to read from the end of the object, for the footer of a VHD. */
export const IMAGE_TAIL_BYTES = 512;

export interface ImageBytes {
  /** The first `IMAGE_HEAD_BYTES` of the object, or all bytes of a shorter object. */
  readonly head: Uint8Array;
  /** The last `IMAGE_TAIL_BYTES` of the object, or all bytes of a shorter object. */
  readonly tail: Uint8Array;
  readonly sizeBytes: number;
}

const SECTOR_BYTES = 512;
const DISK: readonly ImageUse[] = ['disk snapshot', 'machine image'];

/**
 * Returns the disk image format, or undefined if the object is not a known disk image. VHD is checked before raw,
 * because a fixed VHD is a raw disk with a footer.
 */
export function recogniseImage({ head, tail, sizeBytes }: ImageBytes): RecognisedImage | undefined {
  const [first, last] = [Buffer.from(head), Buffer.from(tail)];
  return (
    recogniseQcow2(first) ??
    recogniseVmdk(first) ??
    recogniseVhd(first, last) ??
    recogniseOva(first) ??
    recogniseRaw(first, sizeBytes)
  );
}

const DIFFERENCES = 'only the differences from another image';

function recogniseQcow2(head: Buffer): RecognisedImage | undefined {
  if (!startsWith(head, 'QFI\xfb') || head.length < 16) return undefined;
  const version = head.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const isWhole = head.readBigUInt64BE(8) === 0n;
  const variant = isWhole ? `version ${version}` : `version ${version}, ${DIFFERENCES}`;
  return { format: 'QCOW2', variant, servesAs: isWhole ? DISK : [] };
}

const EXTENTS_ELSEWHERE = 'descriptor without data, which names the data files';

function recogniseVmdk(head: Buffer): RecognisedImage | undefined {
  if (startsWith(head, '# Disk DescriptorFile')) {
    return { format: 'VMDK', variant: EXTENTS_ELSEWHERE, servesAs: [] };
  }
  if (startsWith(head, 'COWD')) return { format: 'VMDK', variant: 'sparse, ESX', servesAs: DISK };
  if (!startsWith(head, 'KDMV') || head.length < SECTOR_BYTES) return undefined;
  const [version, flags] = [head.readUInt32LE(4), head.readUInt32LE(8)];
  if (version < 1 || version > 3) return undefined;
  const isCompressed = (flags & VMDK_COMPRESSED) !== 0;
  return { format: 'VMDK', variant: isCompressed ? 'stream-optimised' : 'sparse', servesAs: DISK };
}

const VMDK_COMPRESSED = 1 << 16;

const VHD_VARIANTS = new Map([
  [2, 'fixed'],
  [3, 'dynamic'],
  [4, DIFFERENCES],
]);

/**
 * Recognizes a VHD by its footer. A fixed VHD has the footer only at its end; all other variants have a copy of the
 * footer at the beginning.
 */
function recogniseVhd(head: Buffer, tail: Buffer): RecognisedImage | undefined {
  const footer =
    vhdFooter(tail.subarray(-SECTOR_BYTES)) ?? vhdFooter(head.subarray(0, SECTOR_BYTES));
  const variant = footer && VHD_VARIANTS.get(footer.readUInt32BE(60));
  if (variant === undefined) return undefined;
  return { format: 'VHD', variant, servesAs: variant === DIFFERENCES ? [] : DISK };
}

const VHD_CHECKSUM_AT = 64;

/**
 * Returns the sector if it is a VHD footer with a valid checksum, or undefined. The checksum must be verified, because
 * the end of a raw disk can contain any bytes.
 */
function vhdFooter(sector: Buffer): Buffer | undefined {
  if (sector.length < SECTOR_BYTES || !startsWith(sector, 'conectix')) return undefined;
  let sum = 0;
  for (const [at, byte] of sector.entries()) {
    if (at < VHD_CHECKSUM_AT || at >= VHD_CHECKSUM_AT + 4) sum += byte;
  }
  return sector.readUInt32BE(VHD_CHECKSUM_AT) === ~sum >>> 0 ? sector : undefined;
}

/** Recognizes an OVA, which is a tar archive whose first file is the OVF descriptor (DSP0243, "OVA packages"). */
function recogniseOva(head: Buffer): RecognisedImage | undefined {
  if (head.length < SECTOR_BYTES || head.toString('latin1', 257, 262) !== 'ustar') return undefined;
  const name = head.toString('utf8', 0, 100).replace(/\0.*$/s, '');
  if (!/\.ovf$/i.test(name) || !isTarHeader(head)) return undefined;
  return { format: 'OVA', variant: name, servesAs: ['machine image'] };
}

const TAR_CHECKSUM_AT = 148;

/**
 * Returns whether the checksum of a tar header is valid. The checksum is the sum of the header's bytes, with the
 * checksum field counted as spaces.
 */
function isTarHeader(head: Buffer): boolean {
  const end = TAR_CHECKSUM_AT + 8;
  let sum = 8 * ' '.charCodeAt(0);
  for (const [at, byte] of head.subarray(0, SECTOR_BYTES).entries()) {
    if (at < TAR_CHECKSUM_AT || at >= end) sum += byte;
  }
  const stated = head.toString('latin1', TAR_CHECKSUM_AT, end).replace(/[\0 ]+$/, '');
  return Number.parseInt(stated.trim(), 8) === sum;
}

function recogniseRaw(head: Buffer, sizeBytes: number): RecognisedImage | undefined {
  if (head.length < SECTOR_BYTES || sizeBytes % SECTOR_BYTES !== 0) return undefined;
  const hasGpt = [512, 4096].some((at) => startsWith(head.subarray(at), 'EFI PART'));
  if (hasGpt) return { format: 'RAW', variant: 'GPT', servesAs: DISK };
  return isMbr(head) ? { format: 'RAW', variant: 'MBR', servesAs: DISK } : undefined;
}

const [MBR_PARTITIONS_AT, MBR_SIGNATURE_AT] = [446, 510];

/**
 * Returns whether the first sector is a master boot record. A FAT volume has the same signature, so all partition
 * entries must be valid and at least one must be in use.
 */
function isMbr(head: Buffer): boolean {
  if (head.readUInt16BE(MBR_SIGNATURE_AT) !== 0x55aa) return false;
  const partitions = [0, 1, 2, 3].map((index) => head.subarray(MBR_PARTITIONS_AT + index * 16));
  const areStated = partitions.every((entry) => ((entry[0] ?? 0) & 0x7f) === 0);
  return areStated && partitions.some((entry) => entry[4] !== 0 && entry.readUInt32LE(12) > 0);
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text;
}
