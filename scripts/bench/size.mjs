const UNITS = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 };

/** `512MB` is 512,000,000 bytes, `1GiB` is 2^30; a bare number is bytes. */
export function parseSize(text) {
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?i?b)?$/i.exec(text);
  const unit = UNITS[(match?.[2] ?? 'b').toLowerCase()];
  if (!match || !unit) throw new Error(`not a size: ${text} (write 85KB, 512MB, 4GB, 1GiB)`);
  return Math.round(Number(match[1]) * unit);
}

/** 512000000 → `512MB`: short enough for a file name, and parseSize reads it back. */
export function formatSize(bytes) {
  for (const unit of ['GB', 'MB', 'KB']) {
    const scale = UNITS[unit.toLowerCase()];
    if (bytes >= scale) return `${Math.round((bytes / scale) * 100) / 100}${unit}`;
  }
  return `${bytes}B`;
}
