import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Whether a path that names no file is meant as a pattern. */
export function isGlob(pattern: string): boolean {
  return /[*?[\]{}]/.test(pattern);
}

/**
 * The files and folders that a quoted pattern names, in order: `*`, `?`, `[abc]`, `{a,b}` within a name and `**` for any
 * folders. (Node's own `fs.glob` comes only with version 22.)
 */
export function expandGlob(pattern: string): string[] {
  const found = new Set<string>();
  for (const simple of expandBraces(pattern)) for (const match of matchSegments(simple)) found.add(match || '.');
  return [...found].sort();
}

function expandBraces(pattern: string): string[] {
  const braces = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(pattern);
  if (!braces) return [pattern];
  const [, before, inside, after] = braces;
  return inside.split(',').flatMap((choice) => expandBraces(before + choice + after));
}

function matchSegments(pattern: string): string[] {
  const absolute = pattern.startsWith('/');
  const segments = pattern.split('/').filter((segment) => segment !== '');
  return walk(absolute ? '/' : '', segments);
}

function walk(base: string, [segment, ...rest]: string[]): string[] {
  if (segment === undefined) return [base];
  if (segment === '**')
    return [...walk(base, rest), ...folders(base).flatMap((name) => walk(join(base, name), ['**', ...rest]))];
  if (!isGlob(segment)) return rest.length > 0 || exists(base, segment) ? walk(join(base, segment), rest) : [];
  const matches = segmentPattern(segment);
  const entries = list(base).filter((entry) => matches.test(entry.name));
  // Names that begin with a dot are hidden, as in a shell, unless the pattern begins with one.
  return entries
    .filter((entry) => segment.startsWith('.') || !entry.name.startsWith('.'))
    .filter((entry) => rest.length === 0 || !entry.isFile())
    .flatMap((entry) => walk(join(base, entry.name), rest));
}

function join(base: string, name: string): string {
  return base === '' ? name : path.posix.join(base, name);
}

function list(base: string) {
  try {
    return readdirSync(base || '.', { withFileTypes: true });
  } catch {
    return [];
  }
}

function exists(base: string, name: string): boolean {
  return name === '.' || name === '..' || list(base).some((entry) => entry.name === name);
}

function folders(base: string): string[] {
  return list(base)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name);
}

function segmentPattern(segment: string): RegExp {
  const source = segment.replace(/\[(!?)([^\]]+)\]|[*?]|[.+^${}()|[\]\\]/g, (part, not, inside) => {
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (inside !== undefined) return `[${not ? '^' : ''}${inside.replace(/[\\^]/g, '\\$&')}]`;
    return `\\${part}`;
  });
  try {
    return new RegExp(`^${source}$`, 'su');
  } catch {
    // A range from back to front, such as `[z-a]`, holds nothing.
    return /(?!)/;
  }
}
