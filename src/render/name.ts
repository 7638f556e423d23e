/** A name of 10 MB is not measured and escaped letter by letter: no reader sees more than this of it. */
const LONGEST = 400;

/** A name from the log, of bounded length, and with something to see where it is empty. Still to be escaped. */
export function boundedName(name: string, longest = LONGEST): string {
  if (name === '') return '""';
  if (name.length <= longest) return name;
  const half = Math.floor(longest / 2);
  // A pair of surrogates that the cut would halve goes as a whole.
  const head = name.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const tail = name.slice(-half).replace(/^[\udc00-\udfff]/, '');
  return `${head}…${tail}`;
}
