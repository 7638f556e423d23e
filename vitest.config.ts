import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    // All cores: most of these tests wait for programs that they run.
    maxWorkers: availableParallelism(),
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
