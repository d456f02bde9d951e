/** Recognises image formats and reads the image dimensions from the first bytes of an object, whatever its name. */

export interface Picture {
  readonly format: 'GIF' | 'JPEG' | 'PNG' | 'WebP';
  /** The dimensions in pixels, before any rotation. Absent if the first bytes do not contain them. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** Recognises an image by its first bytes. Returns undefined if the content is not a known image format. */
export function recognisePicture(bytes: Uint8Array): Picture | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (startsWith(head, '\x89PNG\r\n\x1a\n')) return { format: 'PNG', ...pngSize(head) };
  if (startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a')) {
    const { length } = head;
    return {
      format: 'GIF',
      ...(length < 10 ? {} : sized(head.readUInt16LE(6), head.readUInt16LE(8))),
    };
  }
  if (startsWith(head, '\xff\xd8\xff')) return { format: 'JPEG', ...jpegSize(head) };
  if (startsWith(head, 'RIFF') && startsWith(head.subarray(8), 'WEBP')) {
    return { format: 'WebP', ...webpSize(head) };
  }
  return undefined;
}

/** Returns the format and dimensions of an image, such as `JPEG 4032x3024`. */
export function pictureText({ format, size }: Picture): string {
  return size ? `${format} ${size.width}x${size.height}` : format;
}

type Size = Pick<Picture, 'size'>;

const UNKNOWN: Size = {};

/**
 * Returns the dimensions. A zero means that they are unknown: they are stored later in the file, or the file is
 * damaged.
 */
function sized(width: number, height: number): Size {
  return width > 0 && height > 0 ? { size: { width, height } } : UNKNOWN;
}

/** Reads the dimensions of a PNG image from its header, which is always the first chunk. */
function pngSize(head: Buffer): Size {
  if (head.length < 24 || !startsWith(head.subarray(12), 'IHDR')) return UNKNOWN;
  return sized(head.readUInt32BE(16), head.readUInt32BE(20));
}

/** JPEG markers that end the search, because the frame header must precede them. */
const [START_OF_SCAN, END_OF_IMAGE] = [0xda, 0xd9];

/**
 * Reads the dimensions of a JPEG image from its frame header. Other segments, such as thumbnails and colour profiles,
 * may precede it.
 */
function jpegSize(head: Buffer): Size {
  let at = 2;
  while (at + 4 <= head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0;
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) return UNKNOWN;
    if (marker === 0xff || isAlone(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (isFrame(marker)) {
      const isWhole = at + 9 <= head.length;
      return isWhole ? sized(head.readUInt16BE(at + 7), head.readUInt16BE(at + 5)) : UNKNOWN;
    }
    at += 2 + Math.max(2, head.readUInt16BE(at + 2));
  }
  return UNKNOWN;
}

/** Returns whether no segment follows the JPEG marker. This is true for TEM and the restart markers. */
function isAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

/**
 * Returns whether the JPEG marker starts a frame: SOF0 to SOF15 except DHT, JPG and DAC, whose codes lie in this range.
 */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

const VP8_START_CODE = '\x9d\x01\x2a';
const VP8L_SIGNATURE = '\x2f';

/** Reads the dimensions of a WebP image. The lossy, lossless and extended formats have different headers. */
function webpSize(head: Buffer): Size {
  if (head.length < 30) return UNKNOWN;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      if (!startsWith(head.subarray(23), VP8_START_CODE)) return UNKNOWN;
      return sized(head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      if (!startsWith(head.subarray(20), VP8L_SIGNATURE)) return UNKNOWN;
      const bits = head.readUInt32LE(21);
      return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized(head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1);
    default:
      return UNKNOWN;
  }
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text;
}
