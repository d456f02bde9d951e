/**
 * Names of the dashboard screens that the documentation shows. `screens.ts` defines the screens.
 */

export const PICTURES: readonly string[] = ['dashboard', 'versions', 'restore', 'review'];
