/** Implements `TagKeeper` for one caller: tags of objects and buckets. */

import { defined } from '../../base/defined.ts';
import type * as Port from '../../object-store/object-store.ts';
import { checkKey } from '../../object-store/rules/naming.ts';
import { checkBucketTags, checkObjectTags } from '../../object-store/rules/tags.ts';
import type * as Tags from '../../object-store/tags.ts';
import { readBucketTags, readObjectTags } from '../reads/read-tags.ts';
import type { TaggedVersion } from '../writes/commands/commands.ts';
import type { CallerContext } from './caller-context.ts';

export class EngineTags implements Tags.TagKeeper {
  readonly #context: CallerContext;

  constructor(context: CallerContext) {
    this.#context = context;
  }

  async getObjectTags(request: Port.ObjectRef): Promise<Tags.ObjectTags> {
    return readObjectTags(this.#context.parts.reader, this.#context.caller, request);
  }

  async putObjectTags(request: Tags.PutObjectTagsRequest): Promise<TaggedVersion> {
    checkKey(request.key);
    checkObjectTags(request.tags, this.#context.parts.quotas.defaults.tagsPerObject);
    return this.#context.run('putObjectTags', request);
  }

  async deleteObjectTags({ bucket, key, versionId }: Port.ObjectRef): Promise<TaggedVersion> {
    checkKey(key);
    return this.#context.run('putObjectTags', defined({ bucket, key, versionId }));
  }

  async getBucketTags({ bucket }: { readonly bucket: string }): Promise<readonly Tags.Tag[]> {
    return readBucketTags(
      this.#context.parts.reader,
      this.#context.bucket(bucket, 'GetBucketTagging'),
    );
  }

  async putBucketTags({
    bucket,
    tags,
  }: {
    readonly bucket: string;
    readonly tags: readonly Tags.Tag[];
  }): Promise<void> {
    checkBucketTags(tags);
    // Putting an empty list of tags deletes the tags.
    const document = tags.length === 0 ? undefined : tags;
    return this.#context.configure(bucket, {
      action: 'PutBucketTagging',
      kind: 'tagging',
      document,
    });
  }

  async deleteBucketTags({ bucket }: { readonly bucket: string }): Promise<void> {
    const [action, document] = ['PutBucketTagging', undefined] as const;
    return this.#context.configure(bucket, { action, kind: 'tagging', document });
  }
}
