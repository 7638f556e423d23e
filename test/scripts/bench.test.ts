import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

// By a computed name, because scripts have no types.
const load = (name: string) => import(new URL(`../../scripts/bench/${name}.mjs`, import.meta.url).href);
const { judge } = await load('bars');
const { formatSize, parseSize } = await load('size');
const { median, race, run } = await load('run');
const { table } = await load('markdown');

const node = (code: string) => [process.execPath, '-e', code];

describe('the bars', () => {
  const verdict = (measured: object, bar: RegExp) =>
    judge(measured).find((one: { bar: string }) => bar.test(one.bar)) as { measured?: string; pass?: boolean };

  it('compare times in the right direction', () => {
    const speed = [
      { name: 'trajstats --jobs 1', ms: 100 },
      { name: 'trajstats --jobs 2', ms: 60 },
      { name: 'jq 1.6', ms: 790 },
      { name: 'JSON.parse per line', ms: 510 },
    ];
    expect(verdict({ speed }, /jq/)).toMatchObject({ measured: '7.90 ×', pass: false });
    expect(verdict({ speed }, /JSON.parse/)).toMatchObject({ measured: '5.10 ×', pass: true });
    expect(verdict({ speed }, /faster than one/).pass).toBe(true);
  });

  it('tell what failed from what was not run', () => {
    expect(verdict({}, /jq/).pass).toBeUndefined();
    const speed = [
      { name: 'trajstats --jobs 1', ms: null },
      { name: 'jq 1.6', ms: 800 },
    ];
    expect(verdict({ speed }, /jq/)).toMatchObject({ measured: 'failed', pass: false });
    expect(verdict({ speed }, /one job: 1.5 × a report by DuckDB/).pass).toBeUndefined();
    expect(verdict({ giantString: [{ peak: null }] }, /string of 600/).pass).toBe(false);
  });

  it('take the worst of the peaks', () => {
    expect(verdict({ giantRecord: [{ peak: 90e6 }, { peak: 161e6 }] }, /record of 1 GB/).pass).toBe(false);
    expect(verdict({ giantRecord: [{ peak: 90e6 }, { peak: 160e6 }] }, /record of 1 GB/).pass).toBe(true);
  });

  it('leave start-up out of linear growth', () => {
    const points = (...times: (number | null)[]) =>
      times.map((ms, i) => ({ bytes: 1e6 * 2 ** i, results: [{ ms, peak: 1 }] }));
    expect(verdict({ growth: points(140, 180, 260, 420) }, /linear in the input/)).toMatchObject({
      measured: '1.00 ×',
    });
    expect(verdict({ growth: points(140, 180, 300, 780) }, /linear in the input/).pass).toBe(false);
    expect(verdict({ growth: points(140, 180, 300, 290) }, /linear in the input/)).toMatchObject({
      measured: 'too noisy',
    });
    expect(verdict({ growth: points(140, 180, 300, 290) }, /linear in the input/).pass).toBeUndefined();
    expect(verdict({ growth: points(140, null, 300) }, /linear in the input/)).toMatchObject({ measured: 'failed' });
  });
});

it('sizes are decimal, and read back', () => {
  expect(parseSize('85KB')).toBe(85_000);
  expect(parseSize('1.5 GiB')).toBe(1.5 * 2 ** 30);
  expect(parseSize('12')).toBe(12);
  expect(() => parseSize('12 parsecs')).toThrow('not a size');
  for (const size of [512e6, 4e9, 64e3, 7]) expect(parseSize(formatSize(size))).toBe(size);
});

it('medians and tables', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(table(['a', 'b'], [['x|y', 1]])).toBe('| a    |   b |\n| ---- | --: |\n| x\\|y |   1 |');
});

describe('a run', () => {
  it('gives output, time and the peak memory of the command itself', async () => {
    const { stdout, ms, peak } = await run(node('Buffer.alloc(200e6, 1); setTimeout(() => console.log("done"), 100)'));
    expect(stdout).toBe('done\n');
    expect(ms).toBeGreaterThan(100);
    if (process.platform === 'linux') expect(peak).toBeGreaterThan(200e6);
  });

  it('pipes a file in', async () => {
    const file = fileURLToPath(import.meta.url);
    const { stdout } = await run(node('process.stdin.on("data", (data) => process.stdout.write(data))'), {
      pipe: file,
    });
    expect(stdout).toContain('pipes a file in');
  });

  it('that fails, or gives a wrong answer, is no result', async () => {
    await expect(run(node('console.error("oh no"); process.exit(3)'))).rejects.toThrow(/exit 3.*oh no/s);
    const check = () => {
      throw new Error('wrong answer');
    };
    const contestants = [
      { name: 'wrong', command: node('0'), check },
      { name: 'right', command: node('0') },
    ];
    const [wrong, right] = await race(contestants, 2, () => {});
    expect(wrong).toMatchObject({ ms: null, peak: null, error: 'wrong answer' });
    expect(right.ms).toBeGreaterThan(0);
  });
});

it.each(['bench', 'soak', 'make-sample'])('%s explains itself', (name) => {
  const script = fileURLToPath(new URL(`../../scripts/${name}.mjs`, import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [script, '--help'], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain(`usage: ${name}`);
});
