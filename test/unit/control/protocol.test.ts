import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { EVENTS_KEPT } from '../../../daemon/control/event-log.ts';
import { CLAIM_TIMEOUT_MS, IDLE_TIMEOUT_MS, MAX_STREAMS } from '../../../daemon/control/streams.ts';
import { MAX_CONNECTIONS } from '../../../daemon/control/control-server.ts';
import { MAX_REQUESTS } from '../../../daemon/control/control-connection.ts';
import { CONTROL_ERROR_CODES } from '../../../src/control/control-error.ts';
import { MAX_MESSAGE_BYTES } from '../../../src/control/framing.ts';
import { EVENT_TYPES, eventSchema } from '../../../src/control/first-messages.ts';
import { PROTOCOL_VERSION } from '../../../src/control/version-mismatch.ts';

const page = readFileSync(
  new URL('../../../docs/reference/control-protocol.md', import.meta.url),
  'utf8',
);

describe('docs/reference/control-protocol.md', () => {
  it('EVENT_TYPES contains the type of every event', () => {
    const types = eventSchema.shape.event.options.map(({ shape }) => shape.type.value);
    expect(EVENT_TYPES).toEqual(types);
  });

  it('control-protocol.md lists every error code and no others', () => {
    const table = page.slice(page.indexOf('| code | meaning |'), page.indexOf('## Methods'));
    const codes = [...table.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]);
    expect(codes).toEqual([...CONTROL_ERROR_CODES]);
  });

  it.each([
    [`Its version is ${PROTOCOL_VERSION}.`],
    [`at most ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB`],
    [`at most ${MAX_CONNECTIONS} connections at a time`],
    [`can have ${MAX_REQUESTS} requests in progress`],
    [`within ${CLAIM_TIMEOUT_MS / 1000} seconds`],
    [`makes no progress for ${IDLE_TIMEOUT_MS / 60_000} minutes`],
    [`At most ${MAX_STREAMS} streams can be open`],
    [`the last ${EVENTS_KEPT.toLocaleString('en')} events`],
  ])('control-protocol.md states the limit "%s"', (words) => {
    expect(page.replaceAll('\n', ' ')).toContain(words);
  });
});
