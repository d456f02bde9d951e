/**
 * Tests of recognizing images for a preview, with bytes of real encoders and with damaged bytes.
 */

import { describe, expect, test } from 'vitest';

import { pictureText, recognisePicture } from '../../../tui/screens/preview/picture.ts';

/** The first bytes of images that Pillow wrote, in base64, up to the image size. */
const PICTURES = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAAFAQAAAACoCmsP',
  gif: 'R0lGODdhLAEUAIAAAAAAAAAAACwAAAAALAEUAEAI',
  jpeg: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAJABEDASIAAhEBAxEB',
  progressiveJpeg:
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wgARCAAJABEDASIAAhEBAxEB',
  lossyWebp: 'UklGRkYAAABXRUJQVlA4IDoAAAAwAwCdASooAB4AP5nK3Wc5Mi0npWgDIDMJ',
  losslessWebp: 'UklGRiIAAABXRUJQVlA4TBYAAAAvj0EHAAcQ/Y/+hwFICP/3SxH9T7UD',
  extendedWebp: 'UklGRnoAAABXRUJQVlA4WAoAAAAQAAAAJwAAKwEAQUxQSBEAAAABB9CEiAgDkBD+',
};

type Name = keyof typeof PICTURES;

const bytesOf = (name: Name): Buffer => Buffer.from(PICTURES[name], 'base64');
const names = Object.keys(PICTURES) as Name[];

describe('image types and dimensions', () => {
  test.each<readonly [Name, string]>([
    ['png', 'PNG 3x5'],
    ['gif', 'GIF 300x20'],
    ['jpeg', 'JPEG 17x9'],
    ['progressiveJpeg', 'JPEG 17x9'],
    ['lossyWebp', 'WebP 40x30'],
    ['losslessWebp', 'WebP 400x30'],
    ['extendedWebp', 'WebP 40x300'],
  ])('the dashboard recognizes the image %s with its size: %s', (name, text) => {
    const picture = recognisePicture(bytesOf(name));
    expect(picture && pictureText(picture)).toBe(text);
  });

  test.each(names)(
    'the dashboard reports the correct size or none for the image %s if it is truncated anywhere',
    (name) => {
      const whole = bytesOf(name);
      const { size } = recognisePicture(whole) ?? {};
      for (let length = 0; length < whole.length; length += 1) {
        const cut = recognisePicture(whole.subarray(0, length));
        expect([undefined, size]).toContainEqual(cut?.size);
      }
    },
  );

  test.each(names)(
    'the dashboard never reports a size of zero or less for the image %s with any damaged byte',
    (name) => {
      const whole = bytesOf(name);
      for (const at of whole.keys()) {
        for (const byte of [0x00, 0xff]) {
          const { width = 1, height = 1 } = recognisePicture(whole.with(at, byte))?.size ?? {};
          expect(Math.min(width, height)).toBeGreaterThan(0);
        }
      }
    },
  );

  test('the dashboard finds the size of a JPEG after long profiles, but not after the image data', () => {
    const jpeg = bytesOf('jpeg');
    const profile = Buffer.alloc(2 + 0xffff);
    profile.set([0xff, 0xe2, 0xff, 0xff]);
    const [start, rest] = [jpeg.subarray(0, 2), jpeg.subarray(2)];
    const far = Buffer.concat([start, profile, profile, rest]);
    expect(recognisePicture(far)?.size).toEqual({ width: 17, height: 9 });
    expect(recognisePicture(far.subarray(0, 65_536))).toEqual({ format: 'JPEG' });
    const scan = Buffer.from([0xff, 0xda, 0, 2]);
    expect(recognisePicture(Buffer.concat([start, scan, rest]))).toEqual({ format: 'JPEG' });
  });

  test('the dashboard does not recognize text or a WAVE file as an image', () => {
    for (const text of ['', 'PNG', 'GIF90a', 'RIFF....WAVEfmt ', 'a text about JPEG']) {
      expect(recognisePicture(Buffer.from(text))).toBeUndefined();
    }
  });
});
