import { FRAMING_DOCUMENTS, FRAMING_ELEMENTS, FRAMING_LINES } from './codes.ts';

/** The scanner's codes. */
export const FRAMINGS = { lines: FRAMING_LINES, elements: FRAMING_ELEMENTS, documents: FRAMING_DOCUMENTS };
export const LARGEST_TEXT = 2 ** 31 - 1;
