/** What the events of one trajectory add up to: the recorded metrics of the log, and the part of the summary. */
export class Tally {
  events = 0;
  inputTokens = 0;
  outputTokens = 0;
  cacheReadTokens = 0;
  cacheWriteTokens = 0;
  callCount = 0;
  byModel = new Map();
  toolCallCount = 0;
  toolErrorCount = 0;
  tools = new Map();
  skillActivationCount = 0;
  skills = new Map();
  turnCount = 0;
  errorCount = 0;
  wallTimeMs = 0;

  usage(model, { input, output, cacheRead, cacheWrite }) {
    this.inputTokens += input;
    this.outputTokens += output;
    this.cacheReadTokens += cacheRead;
    this.cacheWriteTokens += cacheWrite;
    this.callCount++;
    const own = this.byModel.get(model) ?? { inputTokens: 0, outputTokens: 0, callCount: 0 };
    this.byModel.set(model, own);
    own.inputTokens += input;
    own.outputTokens += output;
    own.callCount++;
  }

  toolCall(name) {
    this.toolCallCount++;
    this.tools.set(name, (this.tools.get(name) ?? 0) + 1);
  }

  skill(name) {
    this.skillActivationCount++;
    this.skills.set(name, (this.skills.get(name) ?? 0) + 1);
  }

  /** `TrajectoryMetrics`, in the key order of real logs. */
  metrics() {
    return {
      tokenUsage: {
        inputTokens: this.inputTokens,
        outputTokens: this.outputTokens,
        totalTokens: this.inputTokens + this.outputTokens,
        cacheReadTokens: this.cacheReadTokens,
        cacheWriteTokens: this.cacheWriteTokens,
        callCount: this.callCount,
        byModel: Object.fromEntries(this.byModel),
      },
      toolCallCount: this.toolCallCount,
      toolCallBreakdown: Object.fromEntries(this.tools),
      skillActivationCount: this.skillActivationCount,
      skillActivationBreakdown: Object.fromEntries(this.skills),
      turnCount: this.turnCount,
      wallTimeMs: this.wallTimeMs,
      errorCount: this.errorCount,
    };
  }
}

const SUMMED = [
  ...['events', 'inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'callCount', 'toolCallCount'],
  ...['toolErrorCount', 'skillActivationCount', 'turnCount', 'wallTimeMs', 'errorCount'],
];

/** What the whole sample holds: printed by `--summary`, to check a report against. */
export class Totals {
  trajectories = 0;
  outcomes = { passed: 0, failed: 0, error: 0, timeout: 0, skipped: 0, ungraded: 0 };
  sums = Object.fromEntries(SUMMED.map((name) => [name, 0]));

  add(outcome, tally) {
    this.trajectories++;
    this.outcomes[outcome]++;
    if (tally) for (const name of SUMMED) this.sums[name] += tally[name];
  }
}

/** The tokens of one model call whose context has grown to `context` tokens. */
export function drawUsage(random, context) {
  const input = 2000 + context + random.below(500);
  const cacheRead = random.chance(0.1) ? 0 : Math.floor(input * 0.9);
  return { input, output: 20 + random.below(800), cacheRead, cacheWrite: random.below(input - cacheRead) };
}
