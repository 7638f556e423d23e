/** What every peer counts, so that all of them give the same answer. */
export const emptyCount = () => ({ trajectories: 0, events: 0, inputTokens: 0, outputTokens: 0, toolCallCount: 0 });

export const printCount = (count) => console.log(JSON.stringify(count));
