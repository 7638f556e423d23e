import { createHash } from 'node:crypto';

/**
 * What the page may do: use its own style and its own script, and nothing else. Even if a name from a log got out of
 * its text, it could load, send and run nothing.
 */
export function contentSecurityPolicy(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src '${digest(style)}'`,
    `script-src '${digest(script)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
