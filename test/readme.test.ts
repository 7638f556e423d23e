import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasProgram, ROOT, shell } from './support/trajstats.ts';

const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');

function blocks(language: string): string[] {
  return [...README.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block]) => block);
}

/** Each `$ command` of a console block, with the lines that it must print; `…` stands for lines left out. */
function sessions(block: string): { command: string; output: string }[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command, ...output] = part.split('\n');
      return { command, output: output.join('\n').trimEnd() };
    });
}

function asPattern(output: string): RegExp {
  const escaped = output.split(/^…$/m).map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^\\s*${escaped.join('[^]*')}\\s*$`);
}

describe('the README', () => {
  const jq = hasProgram('jq');
  const all = blocks('console').flatMap(sessions);

  it('shows commands', () => {
    expect(all.length).toBeGreaterThan(5);
  });

  for (const { command, output } of all)
    it.skipIf(command.includes('jq ') && !jq)(`shows what this prints: ${command}`, () => {
      const { code, out, err } = shell(command);
      expect(err).toBe('');
      expect(code).toBe(0);
      expect(out.replace(/[ \t]+$/gm, '')).toMatch(asPattern(output));
    });

  for (const [index, code] of blocks('js').entries())
    it(`has library example ${index + 1} that runs and prints what its comments say`, () => {
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      const promised = [...code.matchAll(/\/\/ prints: (.*)$/gm)].map(([, line]) => line);
      expect(promised.length).toBeGreaterThan(0);
      expect(stdout.trim().split('\n')).toEqual(promised);
    });
});
