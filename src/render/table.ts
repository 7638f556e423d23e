import type { Report } from '../model/report.ts';
import { distributions, errors, extremes, flaky, graders, models, skills, statuses, tools } from './table/details.ts';
import { groupTable } from './table/groups.ts';
import { dataQuality, headline } from './table/headline.ts';
import { beside } from './table/layout.ts';
import { type Line, paintLine } from './table/line.ts';

export interface TableOptions {
  /** Columns of the terminal. */
  width: number;
  color: boolean;
}

/** Narrower than this, nothing useful fits; wider, the eye loses the row. */
const NARROWEST = 40;
const WIDEST = 200;

/** The report for a terminal: what was read, how it went, and then the details of the total. */
export function renderTable(report: Report, options: TableOptions): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, Math.floor(options.width)));
  const { total } = report;
  const sections: Line[][] = [
    dataQuality(report, width),
    headline(total, width),
    groupTable(report, width),
    distributions(total, width),
    tools(total, width),
    beside(
      [models, graders, errors, flaky, skills, statuses].map((section) => section(total, width)),
      width,
    ),
    beside(extremes(total, width), width),
  ].filter(({ length }) => length > 0);
  return sections
    .map((lines) => lines.map((parts) => `${paintLine(parts, width, options.color)}\n`).join(''))
    .join('\n');
}
