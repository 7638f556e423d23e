const MODELS = ['claude-opus-4.6', 'gpt-5.5', 'gemini-3-pro', 'claude-sonnet-4.5', 'qwen3-coder'];
export const modelName = (index) => MODELS[index] ?? `model-${index}`;

const AREAS = ['parser', 'auth', 'router', 'cache', 'billing', 'search', 'export', 'upload'];
const VERBS = ['add', 'fix', 'rename', 'refactor', 'document', 'test', 'speed-up'];
export const taskName = (index) =>
  `${String(index + 1).padStart(5, '0')}-${VERBS[index % VERBS.length]}-${AREAS[index % AREAS.length]}`;

// Often used ones stand more than once.
export const TOOLS = [
  ...['view', 'view', 'view', 'bash', 'bash', 'edit', 'edit', 'grep', 'glob', 'web_fetch', 'report_intent'],
  'mcp-server-run_validation',
];
export const TRIALS_TOOLS = ['Read', 'Read', 'Read', 'Bash', 'Bash', 'Edit', 'Grep', 'Glob', 'WebFetch', 'TodoWrite'];
export const SKILLS = ['test-writer', 'api-author', 'changelog', 'release-notes'];
export const ERROR_TYPES = ['TimeoutError', 'mcp_server', 'RateLimitError', 'query'];

/** How likely a model passes a task: some tasks are easy, some hard, most are flaky. */
export function passProbability(task, model) {
  const hash = Math.imul(task * 31 + model * 7 + 11, 0x9e3779b1) >>> 0;
  return Math.min(0.98, Math.max(0.02, (hash / 2 ** 32) * 1.3 - 0.1));
}

const digits = (count, width) => Array.from({ length: count }, (_, i) => String(i).padStart(width, '0'));
const TWO = digits(60, 2);
const THREE = digits(1000, 3);
let minute = Number.NaN;
let minuteText = '';

/** As `new Date(ms).toISOString()`, many times faster for times that are close to each other. */
export function iso(ms) {
  const inMinute = ms % 60_000;
  if (ms - inMinute !== minute) {
    minute = ms - inMinute;
    minuteText = new Date(minute).toISOString().slice(0, 17);
  }
  return `${minuteText}${TWO[Math.floor(inMinute / 1000)]}.${THREE[inMinute % 1000]}Z`;
}

/** The first record starts here, each later one 37 seconds after the one before it. */
export const startTime = (index) => Date.UTC(2026, 0, 5, 8) + index * 37_000;
