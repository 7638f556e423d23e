/** What the scanner (AssemblyScript) and the walker (TypeScript) say to each other; both compile this file. */

/**
 * One entry of the tape: 16 bytes, `[code | field << 8, a, b, c]` or `[code | field << 8, a, number]`. The field says
 * which declared member the value belongs to; 0 means an element, the record itself, or the member named by `Key`.
 */
export const OP_KNOWN = 0; // a: slot of a known value
export const OP_NUMBER = 1; // number
export const OP_NEW_STRING = 2; // a, b: ASCII bytes; c: slot that knows it from now on, if any
export const OP_OPEN_OBJECT = 3; // c: of a streamed item that lies on the tape as a whole, its form, if it has one
export const OP_OPEN_ARRAY = 4; // a: Into; b: node
export const OP_CLOSE = 5; // a: Into, what it is in; b: node of that; c: 1 if items have been handed over from within
export const OP_STRING = 6; // a, b: bytes; c: Encoding. Ends a string whose earlier parts may have come as OP_PIECE.
export const OP_KEY = 7; // like OP_STRING: the name of the next value
export const OP_PIECE = 8; // a, b: bytes; c: Encoding
export const OP_FOLDED_STRING = 9; // like OP_STRING, for a folded one; c: Encoding | node << 2
export const OP_FOLDED_PIECE = 10; // like OP_PIECE; c: Encoding | node << 2
export const OP_LENGTH = 11; // number: UTF-16 units
export const OP_NUMBER_TEXT = 12; // a, b: where the digits of a number are that only `Number()` rounds correctly
export const OP_TIME_TEXT = 13; // like OP_STRING: a time in another form than the usual one
export const OP_CUT = 14; // the next string or key was longer than allowed
export const OP_CHECK_KEY = 15; // a key in an object that has handed over items; a: index; second entry: line, line start
export const OP_RECORD = 16; // a: index; number: bytes of a last line without end, else 0; second entry: line, line start
export const OP_BAD = 17; // a: index; b: Problem | found byte << 8; second entry: line, line start; third: column
export const OP_TAIL = 18; // a: index; number: bytes of the line; second entry: line, line start
export const OP_BLANK = 19;

/** Entries of digests (see assembly/digest.ts). Names are numbers of the table of names. */
export const OP_ANSWER = 20; // field: 1 if it failed; a: which tool of the digest; second entry: times of call and result
export const OP_TURN = 21; // second entry: times of start and end
export const OP_OPEN_CALL = 22; // a, b: UTF-8 of its id; c: which tool of the digest; second entry: time
export const OP_OPEN_TURN = 23; // a, b: UTF-8 of its id; second entry: time
export const OP_TOOL = 24; // a: name; b: calls
export const OP_MODEL = 25; // a: name; b: calls; second entry: input and output tokens
export const OP_SKILL = 26; // a: name; b: how often
export const OP_ERROR = 27; // a: name; b: how often
/** Ends a digest. a: calls of models; b: ends of turns; then, two in an entry: times, tokens, cached tokens, messages. */
export const OP_DIGEST = 28;

/** The fields of a digested event, which have these numbers on the tape. */
export const EVENT_TYPE = 1;
export const EVENT_TIMESTAMP = 2;
export const EVENT_DATA = 3;
export const DATA_TOOL_NAME = 4;
export const DATA_TOOL_CALL_ID = 5;
export const DATA_SUCCESS = 6;
export const DATA_INPUT_TOKENS = 7;
export const DATA_OUTPUT_TOKENS = 8;
export const DATA_CACHE_READ_TOKENS = 9;
export const DATA_CACHE_WRITE_TOKENS = 10;
export const DATA_MODEL = 11;
export const DATA_TURN_ID = 12;
export const DATA_NAME = 13;
export const DATA_TYPE = 14;

/** The table of names: the text of each, and in its last byte the length and one. A name's number is its place. */
export const NAME_SLOTS = 1024;
export const NAME_SIZE = 64;
/** The number of no name. */
export const NAME_NONE = 1024;

/** Slots of known values: those of the string cache, and after them the literals. */
export const CACHE_SLOTS = 1024;
export const SLOT_NULL = 1024;
export const SLOT_FALSE = 1025;
export const SLOT_TRUE = 1026;
export const SLOT_NONE = 1027;

/** What a value is in. */
export const INTO_OBJECT = 0;
export const INTO_ARRAY = 1;
export const INTO_STREAM = 2;
/** The outer array of `elements`. */
export const INTO_RECORDS = 3;
export const INTO_NOTHING = 4;

export const ENCODING_ASCII = 0;
export const ENCODING_UTF8 = 1;
/** UTF-8 with lone surrogates, which a `\u` escape may spell. */
export const ENCODING_LONE_SURROGATES = 2;

export const FRAMING_LINES = 0;
export const FRAMING_ELEMENTS = 1;
export const FRAMING_DOCUMENTS = 2;

export const PROBLEM_UTF8 = 0;
export const PROBLEM_VALUE = 1;
export const PROBLEM_ELEMENT_OR_END = 2;
export const PROBLEM_KEY_OR_END = 3;
export const PROBLEM_KEY = 4;
export const PROBLEM_COLON = 5;
export const PROBLEM_COMMA_OR_BRACKET = 6;
export const PROBLEM_COMMA_OR_BRACE = 7;
export const PROBLEM_END_OF_LINE = 8;
export const PROBLEM_CONTROL_CHARACTER = 9;
export const PROBLEM_ESCAPE = 10;
export const PROBLEM_HEX_DIGIT = 11;
export const PROBLEM_DIGIT = 12;
export const PROBLEM_LITERAL = 13;
export const PROBLEM_ARRAY = 14;

/** Layout of the shape tables, in 32-bit words. Node 0 means that nobody wants the value. */
/** Address of the buckets of its fields, 0 without fields. */
export const NODE_BUCKETS = 0;
/** Number of buckets, a power of two, less one. */
export const NODE_BUCKET_MASK = 1;
/** Node of the other members. */
export const NODE_ENTRIES = 2;
/** Node of the elements. */
export const NODE_ITEMS = 3;
/** How strings are taken. */
export const NODE_TEXT = 4;
/** Whether elements are handed over as they complete. */
export const NODE_STREAMED = 5;
/** The scanner's own: address of the field that came first the last time. */
export const NODE_FIRST = 6;
export const NODE_WORDS = 8;

export const FIELD_KEY_ADDRESS = 0;
export const FIELD_KEY_LENGTH = 1;
export const FIELD_NODE = 2;
/** Its number on the tape; 0 to have the name on the tape as well. */
export const FIELD_ID = 3;
/** Address of the next field in the same bucket, or 0. */
export const FIELD_NEXT = 4;
/** The scanner's own: address of the field that followed the last time. */
export const FIELD_FOLLOWER = 5;
export const FIELD_WORDS = 8;

export const STREAMED_ITEMS = 1;
/** They are events, and are digested where they can be. */
export const STREAMED_DIGESTS = 2;

export const TEXT_KEEP = 0;
export const TEXT_MEASURE = 1;
export const TEXT_FOLD = 2;
export const TEXT_TIME = 3;

/** How a call of the scanner ended. */
/** All input is read. */
export const OUTCOME_READ = 0;
/** The tape is full: walk it and call again. */
export const OUTCOME_TAPE_FULL = 1;
