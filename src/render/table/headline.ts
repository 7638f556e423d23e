import type { Group, Rate, Report } from '../../model/report.ts';
import type { Outcome } from '../../model/row.ts';
import { bytes, compact, dollars, duration, percent, plural, whole } from '../units.ts';
import {
  cacheShare,
  cappedParts,
  measured,
  outcomeCounts,
  passedOf,
  place,
  rateMethod,
  skippedRecords,
  timeSplit,
  unevenSplit,
} from '../view.ts';
import { intervalBar, stackedBar } from './draw.ts';
import { facts, labelSpan } from './layout.ts';
import { type Line, line, nameText, type Style, span } from './line.ts';

/** What comes first: can the data be trusted, how good was the run, and what did it take. */

export function dataQuality(report: Report, width: number): Line[] {
  const {
    files,
    bytes: size,
    lines,
    good,
    bad,
    blank,
    trajectories,
    duplicates,
    truncatedTails,
    problems,
  } = report.input;
  const skipped = skippedRecords(report);
  const shown = skipped.slice(0, 5).map(({ type, count }) => `${whole(count)} ${nameText(type)}`);
  if (skipped.length > shown.length) shown.push(`${plural(skipped.length - shown.length, 'more type')}`);
  const capped = cappedParts(report);
  return [
    ...facts(
      'Data',
      [
        line(
          span(plural(trajectories, 'trajectory', 'trajectories'), 'strong'),
          ` in ${plural(files, 'file')}, ${bytes(size)}`,
        ),
        line(
          `${plural(lines, 'line')}: `,
          span(`${whole(good)} good`, good > 0 ? 'good' : 'dim'),
          ', ',
          span(`${whole(bad)} bad`, bad > 0 ? 'bad' : 'dim'),
          ', ',
          span(`${whole(blank)} blank`, 'dim'),
        ),
        shown.length > 0 ? line(`skipped ${shown.join(', ')}`) : [],
        duplicates > 0 ? line(span(plural(duplicates, 'duplicate'), 'warn')) : [],
        truncatedTails > 0 ? line(span(plural(truncatedTails, 'truncated tail'), 'warn')) : [],
      ],
      width,
      ' · ',
    ),
    ...problems.flatMap((problem) =>
      facts(
        '',
        [line(span(`${nameText(place(problem))}:`, 'dim')), line(span(nameText(problem.message), 'warn'))],
        width,
        ' ',
      ),
    ),
    ...(bad > problems.length && problems.length > 0
      ? [line(labelSpan(''), span(`… ${whole(bad - problems.length)} more bad lines`, 'dim'))]
      : []),
    ...(capped.length > 0
      ? facts(
          'Capped',
          [
            line(span(`too many different ${capped.map(nameText).join(', ')}:`, 'warn')),
            line(span('the rest is counted under (other)', 'warn')),
          ],
          width,
          ' ',
        )
      : []),
  ];
}

export function headline(group: Group, width: number): Line[] {
  return [
    ...rateLine('Pass rate', group.passRate, 'graded', width, (rate) => `95 %, ${rateMethod(rate)}`),
    ...rateLine('  strict', group.strictPassRate, 'strict', width, () => 'strict = graded + error + timeout'),
    ...passLine('pass@k', group.passAtK, width),
    ...passLine('pass^k', group.passHatK, width),
    ...outcomes(group, width),
    ...spend(group, width),
    ...time(group, width),
    ...judge(group, width),
  ];
}

function rateLine(
  label: string,
  rate: Rate | null,
  denominator: string,
  width: number,
  note: (rate: Rate) => string,
): Line[] {
  if (rate === null) return [];
  return facts(
    label,
    [
      line(
        span(percent(rate.value).padStart(6), 'strong'),
        `  ${`${percent(rate.low)} to ${percent(rate.high)}`.padEnd(16)}  `,
        ...intervalBar(rate, width >= 160 ? 40 : width >= 120 ? 28 : 21),
      ),
      line(`${whole(passedOf(rate))} of ${whole(rate.n)} ${denominator}`),
      line(span(note(rate), 'dim')),
    ],
    width,
  );
}

function passLine(label: string, values: Record<string, number>, width: number): Line[] {
  const parts = Object.entries(values).map(([k, value]) => line(span(`${k}: `, 'dim'), percent(value)));
  return facts(label, parts, width);
}

const OUTCOME_LOOKS: Record<Outcome, { glyph: string; style: Style }> = {
  passed: { glyph: '█', style: 'good' },
  failed: { glyph: '▒', style: 'bad' },
  error: { glyph: '▚', style: 'bad' },
  timeout: { glyph: '▞', style: 'warn' },
  skipped: { glyph: '░', style: 'dim' },
  ungraded: { glyph: '╌', style: 'dim' },
};

function outcomes(group: Group, width: number): Line[] {
  const counts = outcomeCounts(group);
  if (counts.length === 0) return [];
  const bar = stackedBar(
    counts.map(({ outcome, count }) => ({ value: count, ...OUTCOME_LOOKS[outcome] })),
    barWidth(width),
  );
  const legend = counts.map(({ outcome, count }) =>
    line(span(OUTCOME_LOOKS[outcome].glyph, OUTCOME_LOOKS[outcome].style), ` ${whole(count)} ${outcome}`),
  );
  return facts('Outcomes', [bar, ...legend], width);
}

function spend(group: Group, width: number): Line[] {
  const cost = measured(group, 'costUsd');
  const tokens = measured(group, 'totalTokens');
  const input = measured(group, 'inputTokens');
  const output = measured(group, 'outputTokens');
  const cached = cacheShare(group);
  return facts(
    'Spend',
    [
      cost
        ? line(
            span(dollars(cost.sum!), 'strong'),
            cost.missing > 0 ? span(` (${whole(cost.missing)} without a price)`, 'dim') : '',
          )
        : [],
      group.costPerPass === null ? [] : line(`${dollars(group.costPerPass)} per passed task`),
      tokens
        ? line(
            `${compact(tokens.sum!)} tokens`,
            input && output ? span(` (${compact(input.sum!)} in, ${compact(output.sum!)} out)`, 'dim') : '',
          )
        : [],
      cached === null ? [] : line(`${percent(cached)} of input from cache`),
    ],
    width,
    ' · ',
  );
}

const TIME_GLYPHS = ['█', '▒', '░'];

function time(group: Group, width: number): Line[] {
  const split = timeSplit(group);
  if (split.length === 0) return [];
  const bar = stackedBar(
    split.map(({ value }, i) => ({ value, glyph: TIME_GLYPHS[i]! })),
    barWidth(width),
  );
  const legend = split.map(({ label, share, value }, i) =>
    line(`${TIME_GLYPHS[i]} ${label} ${percent(share)}`, span(` ${duration(value)}`, 'dim')),
  );
  const uneven = unevenSplit(split);
  return facts('Time', [bar, ...legend, uneven === null ? [] : line(span(uneven, 'dim'))], width);
}

function judge(group: Group, width: number): Line[] {
  if (group.judge === null) return [];
  const { inputTokens, outputTokens, latencyMs } = group.judge;
  const spent = `${compact(inputTokens)} tokens in, ${compact(outputTokens)} out, ${duration(latencyMs)}`;
  return facts('Judge', [line(spent), line(span('apart from the spend above', 'dim'))], width);
}

function barWidth(width: number): number {
  return width >= 160 ? 60 : width >= 120 ? 40 : 24;
}
