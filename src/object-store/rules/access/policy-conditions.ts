/** The conditions of a policy's statement, as they are evaluated (semantics B.6). */

/**
 * What is known of a request, from what was parsed of it and never from a header by its name (RustFS GHSA-6r96). Keys
 * as `conditionKey` gives them; a key without a value is absent. A `Map` will do.
 */
export interface ConditionValues {
  get(key: string): readonly string[] | undefined;
}

export interface Condition {
  holds(values: ConditionValues): boolean;
}
