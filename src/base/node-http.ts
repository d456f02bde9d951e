/**
 * Node's HTTP module. Not by `import`: to know what it exports, Node would read all of it, and so load its WebSocket,
 * which costs each start a tenth of a second.
 */

export const { createServer, IncomingMessage, request, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http');
