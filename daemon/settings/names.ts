/** Generates numbered names for a name that is already used. */

const MAX_BUCKET_LENGTH = 63;

/** Yields `photos`, `photos-2`, `photos-3` and so on: at most `limit` names, each short enough for a bucket. */
export function* numbered(name: string, limit: number): Generator<string> {
  yield name;
  for (let count = 2; count <= limit; count += 1) {
    const suffix = `-${count}`;
    yield name.slice(0, MAX_BUCKET_LENGTH - suffix.length).replace(/-+$/, '') + suffix;
  }
}
