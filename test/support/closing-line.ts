import type { Reporter, TestModule } from 'vitest/node';

/** The closing line that CI reads, whatever the test runner: "N passed, N failed, N skipped". */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++;
      // A file that does not even load is a failure too.
      if (module.children.size === 0 && module.state() === 'failed') count.failed++;
    }
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
