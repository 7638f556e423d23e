/** Where a thing stands in the input: `line` is 1-based and counts blank lines, as an editor shows it. */
export interface Place {
  path: string;
  line: number | null;
}

/** Something wrong with the input, told to the user as `path:line: message`. */
export interface Problem extends Place {
  message: string;
}
