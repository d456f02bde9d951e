/**
 * Defines parameters for SQL statements that run often. SQLite prepares a statement again when a bound parameter could
 * change its query plan, such as a bare `column = ?` beside ORDER BY, or `LIMIT ?`. Preparing takes ten times as long
 * as the lookup itself. A parameter inside an expression cannot change the plan.
 */

export const INTEGER = 'CAST(? AS INTEGER)';
export const TEXT = 'CAST(? AS TEXT)';
