/**
 * Loads the navigation and top bar around the pages. They are a chunk of their own, which the login
 * page does not need.
 */
export const loadShell = () => import('../shell/Shell.tsx').then((module) => ({ default: module.Shell }));
