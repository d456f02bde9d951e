/**
 * Reads the input of a request. Checks permissions first, because that is cheapest. Then reads the body and decodes the
 * XML or JSON document in it.
 */

import type { Clock } from '../base/clock.ts';
import type { Body } from '../object-store/body.ts';
import type { Caller } from '../object-store/caller.ts';
import type { RequestAccess } from '../object-store/request-access.ts';
import {
  decodeRequest,
  type Input,
  OPERATIONS,
  type OperationName,
} from '../protocol/operations.ts';
import type { DocumentRules } from '../protocol/operations/operation.ts';
import { MAX_XML_BYTES } from '../protocol/xml/parse.ts';
import type { Authenticated } from './authenticate.ts';
import { inDocumentMemory } from '../http/document-memory.ts';
import { actionOfDocument } from './document-action.ts';
import { DOCUMENT_DEADLINE_MS, SMALL_DOCUMENT_BYTES } from './limits.ts';
import { DOCUMENT_TURNS } from './loop-turns.ts';
import {
  announcedBytes,
  expectNoBody,
  readDocument,
  type Received,
  requestBody,
  requireDigest,
} from './request-body.ts';
import type { RequestHead } from './request-head.ts';

export interface ReadingInput {
  readonly received: Received;
  readonly head: RequestHead;
  readonly authenticated: Authenticated;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly accessOf?: ((caller: Caller) => RequestAccess) | undefined;
}

export interface ReadInput<N extends OperationName> {
  readonly input: Input<N>;
  /** The request body. A handler reads the body only if the body is the content of an object. */
  readonly body: Body;
  /** Whether the request document is large, so that the response can be large too. */
  readonly isLarge?: boolean;
}

/**
 * Returns the decoded input of a request, and its body. Throws the StorageError to respond with.
 */
export async function readInput<N extends OperationName>(
  operation: N,
  reading: ReadingInput,
): Promise<ReadInput<N>> {
  const { received, head, authenticated } = reading;
  const { request } = OPERATIONS[operation];
  const { body: kind } = request;
  const { target, query, unified: headers, dialect } = head;
  const decoded = (text: string) =>
    decodeRequest(operation, { target, query, headers, body: text }, dialect);
  if (typeof kind !== 'object') {
    const body = await requestBody(received, authenticated, request);
    if (kind === undefined) await expectNoBody(body);
    return { input: decoded(''), body };
  }
  askFirst(operation, reading);
  const { signal, clock } = reading;
  const sender = { caller: authenticated.caller, signal, clock };
  return inDocumentMemory(memoryOf(received, kind), sender, async () => {
    const stopWaiting = received.incoming.failAfter(DOCUMENT_DEADLINE_MS);
    try {
      const body = await requestBody(received, authenticated, request);
      if (kind.needsDigest) requireDigest(head, body);
      const text = await readDocument(body, kind);
      const isLarge = text.length > SMALL_DOCUMENT_BYTES;
      if (isLarge) await DOCUMENT_TURNS.next();
      return { input: decoded(text), body, isLarge };
    } finally {
      stopWaiting();
    }
  });
}

/**
 * Checks the caller's permission before the request document is read, because reading and parsing it takes memory and
 * time. Throws NoSuchBucket, or AccessDenied if the operation would be denied whatever the document contains.
 */
function askFirst(operation: OperationName, { head, authenticated, accessOf }: ReadingInput): void {
  const action = actionOfDocument(operation, head);
  if (action) accessOf?.(authenticated.caller).allow(action);
}

function memoryOf({ headers }: Received, { maxBytes = MAX_XML_BYTES }: DocumentRules): number {
  return Math.min(announcedBytes(headers) ?? 0, maxBytes);
}
