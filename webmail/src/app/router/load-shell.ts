/** The frame of navigation and top bar around the pages; a chunk of its own, which the login page does not need. */
export const loadShell = () => import('../shell/Shell.tsx').then((module) => ({ default: module.Shell }));
