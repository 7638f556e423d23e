/** Every flag, defined once: what it means, what it takes, and the help that says so. */
export interface Flag {
  type: 'string' | 'boolean';
  describe: string;
  /** What stands for the value in the help. */
  value?: string;
  choices?: readonly string[];
  repeatable?: boolean;
}

export const FLAGS = {
  'input-format': {
    type: 'string',
    describe: 'Format of the logs (default: told from their content)',
    choices: ['vally', 'trials', 'sdk', 'forecast', 'rows'],
  },
  where: {
    type: 'string',
    describe: "Only trajectories with 'FIELD OP VALUE'; OP is = != < <= > >= ~; all must hold",
    value: 'TEST',
    repeatable: true,
  },
  by: {
    type: 'string',
    describe: 'Groups of the report: model, task, variant, executor, format, outcome, day, path',
    value: 'FIELD[,FIELD…]',
    repeatable: true,
  },
  format: { type: 'string', describe: 'What to print' },
  out: {
    type: 'string',
    describe: 'Write the report to this file, in the format of its extension, instead of printing it',
    value: 'FILE',
    repeatable: true,
  },
  jobs: { type: 'string', describe: 'Worker threads (default: the cores); results never depend on it', value: 'N' },
  parser: {
    type: 'string',
    describe: 'simd is fast; stream-json is plain, for comparison',
    choices: ['simd', 'stream-json'],
  },
  'max-value-bytes': {
    type: 'string',
    describe: 'Cut kept texts that are longer (default: 1 MiB)',
    value: 'N',
  },
  'max-expansion': {
    type: 'string',
    describe: 'Stop at compressed data that becomes more than N times as large, beyond 1 GiB (default: 200)',
    value: 'N',
  },
  'max-errors': {
    type: 'string',
    describe: 'Bad lines that are tolerated, as a number or a percentage (default: 0)',
    value: 'N|P%',
  },
  rejects: {
    type: 'string',
    describe: 'Copy the bad lines to this file, one JSON object a line, with their places',
    value: 'FILE',
  },
  dedupe: { type: 'boolean', describe: 'Leave out trajectories that were seen before, as after a resumed run' },
  progress: { type: 'boolean', describe: 'Show progress on stderr (default: on a terminal)' },
  quiet: { type: 'boolean', describe: 'Say nothing on stderr' },
} as const satisfies Record<string, Flag>;

export type FlagName = keyof typeof FLAGS;

const READING = [
  'input-format',
  'where',
  'jobs',
  'parser',
  'max-value-bytes',
  'max-expansion',
  'max-errors',
  'rejects',
  'progress',
  'quiet',
] as const satisfies FlagName[];

export interface CommandInfo {
  describe: string;
  flags: readonly FlagName[];
  formats?: readonly string[];
  examples: readonly (readonly [string, string])[];
}

export const COMMANDS = {
  report: {
    describe: 'Aggregate report over all trajectories (the default command)',
    flags: ['by', 'format', 'out', 'dedupe', ...READING],
    formats: ['table', 'json', 'md', 'csv', 'html'],
    examples: [
      ['cat results.jsonl | trajstats', 'a report of what comes in'],
      ['trajstats results/ --by model', 'a folder of logs, a line per model'],
      ["trajstats 'runs/*/results.jsonl' --where 'model ~ opus'", 'some files, some trajectories'],
      ['trajstats results/ --out nightly.html --out nightly.json', 'two reports in one pass'],
    ],
  },
  metrics: {
    describe: 'One JSON line per trajectory',
    flags: ['format', 'dedupe', ...READING],
    formats: ['jsonl', 'csv'],
    examples: [
      ["trajstats metrics results.jsonl | jq '.metrics.tokenUsage.totalTokens'", 'a number per trajectory'],
      ["trajstats metrics results/ --where 'outcome = failed' | trajstats", 'rows can be read back'],
    ],
  },
  events: {
    describe: "One JSON line per event, in vally's model, whatever the format of the log",
    flags: READING.filter((name) => name !== 'where'),
    examples: [
      ['trajstats events suite.trials.json | jq \'select(.type == "tool_call") | .data.toolName\'', 'every tool call'],
    ],
  },
} as const satisfies Record<string, CommandInfo>;

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];
