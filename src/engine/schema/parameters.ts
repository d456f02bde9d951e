/**
 * Declares parameters for statements that run often. SQLite prepares a statement again when a parameter is bound that could
 * change its plan, such as a bare `column = ?` beside ORDER BY, or `LIMIT ?`. That costs ten times as much as the lookup
 * itself. A parameter inside an expression cannot change the plan.
 */

export const INTEGER = 'CAST(? AS INTEGER)';
export const TEXT = 'CAST(? AS TEXT)';
