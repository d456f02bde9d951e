/**
 * Parameters of hot statements. SQLite plans a statement anew whenever a parameter is bound that could change
 * the plan, such as a bare `column = ?` beside ORDER BY, or `LIMIT ?`; that costs ten times the lookup itself.
 * Inside an expression it is a value like any other.
 */

export const INTEGER = 'CAST(? AS INTEGER)';
export const TEXT = 'CAST(? AS TEXT)';
