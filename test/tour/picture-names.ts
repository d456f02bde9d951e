/** The screens of the dashboard that the documentation shows, by their names in `screens.ts`. */

export const PICTURES: readonly string[] = ['dashboard', 'versions', 'restore', 'review'];
