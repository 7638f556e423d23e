/** Kept equal to package.json by a test: a constant costs no file access at start-up. */
export const VERSION = '0.1.0';
