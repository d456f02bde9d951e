/** The next name when one is taken. */

const MAX_BUCKET_LENGTH = 63;

/** `photos`, `photos-2`, `photos-3`, … within the length of a bucket's name. */
export function* numbered(name: string, limit: number): Generator<string> {
  yield name;
  for (let count = 2; count <= limit; count += 1) {
    const suffix = `-${count}`;
    yield name.slice(0, MAX_BUCKET_LENGTH - suffix.length).replace(/-+$/, '') + suffix;
  }
}
