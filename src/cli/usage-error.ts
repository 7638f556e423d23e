/** The user asked for something that does not exist; told in a line, with exit code 2. */
export class UsageError extends Error {}
