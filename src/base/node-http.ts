/**
 * Node's HTTP module. With `import`, Node would read all exports of the module and load its WebSocket implementation, which
 * adds 0.1 s to each start.
 */

export const { createServer, IncomingMessage, request, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http');
