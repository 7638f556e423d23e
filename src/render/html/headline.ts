import type { Group, Report } from '../../model/report.ts';
import { compact, dollars, duration, percent, plural, whole } from '../units.ts';
import { cacheShare, measured, outcomeCounts, passedOf, rateMethod } from '../view.ts';
import { legend, type Part, rateChart, repeatsChart, stackedBar } from './charts.ts';
import { type Content, html, type Markup, NOTHING } from './markup.ts';

/** The first screen: how good, how sure, and at what price. */
export function headline(report: Report): Markup {
  const { total } = report;
  return html`<section class="hero" aria-labelledby="result">
<div class="result">${total.passRate ? passRate(total) : trajectories(total)}${outcomes(total)}</div>
${factList(total)}
</section>`;
}

function passRate({ passRate: rate }: Group): Content {
  if (rate === null) return null;
  return html`<h2 id="result">Pass rate</h2>
<p class="huge">${percent(rate.value)}</p>
<p class="lead">${whole(passedOf(rate))} of ${whole(rate.n)} graded trajectories passed.</p>
${rateChart('Pass rate', rate)}
<p class="note">95 % interval ${percent(rate.low)} to ${percent(rate.high)}, ${rateMethod(rate)}</p>`;
}

function trajectories({ trajectories: count, outcomes: { error, timeout } }: Group): Markup {
  return html`<h2 id="result">Trajectories</h2>
<p class="huge">${compact(count)}</p>
<p class="lead">${count === 0 ? 'Nothing was read.' : `None of them is graded${error + timeout > 0 ? `; ${whole(error + timeout)} ended in an error or a timeout` : ''}.`}</p>`;
}

function outcomes(group: Group): Content {
  const parts = outcomeCounts(group).map(
    ({ outcome, count }): Part => ({ label: outcome, value: count, words: whole(count), className: outcome }),
  );
  if (parts.length === 0) return null;
  return html`<h3>Outcomes</h3>${stackedBar('Outcomes', parts)}${legend(parts)}`;
}

function factList(group: Group): Content {
  const found = facts(group).filter((item) => item !== null && item !== false);
  return found.length > 0 && html`<dl class="facts">${found}</dl>`;
}

function facts(group: Group): Content[] {
  const { strictPassRate: strict, costPerPass } = group;
  const cost = measured(group, 'costUsd');
  const tokens = measured(group, 'totalTokens');
  const wall = measured(group, 'wallTimeMs');
  const turns = measured(group, 'turnCount');
  const cached = cacheShare(group);
  return [
    strict &&
      fact('Strict pass rate', percent(strict.value), [
        `${percent(strict.low)} to ${percent(strict.high)}`,
        `${whole(passedOf(strict))} of ${whole(strict.n)}, errors and timeouts counted`,
      ]),
    // Without grades, this is the headline.
    group.passRate &&
      fact('Trajectories', whole(group.trajectories), [group.tasks > 0 && `of ${plural(group.tasks, 'task')}`]),
    cost &&
      fact('Cost', dollars(cost.sum!), [
        costPerPass !== null && `${dollars(costPerPass)} per passed task`,
        cost.missing > 0 && `${whole(cost.missing)} without a price`,
      ]),
    tokens && fact('Tokens', compact(tokens.sum!), [cached !== null && `${percent(cached)} of input from cache`]),
    wall && fact('Wall time', duration(wall.p50!), [`median; 95 % within ${duration(wall.p95!)}`]),
    turns && fact('Turns', compact(turns.p50!), [`median; 95 % within ${compact(turns.p95!)}`]),
  ];
}

function fact(label: string, value: string, notes: (string | false)[]): Markup {
  return html`<div><dt>${label}</dt><dd class="big">${value}</dd>${notes.map((note) => note && html`<dd class="note">${note}</dd>`)}</div>`;
}

export function repeats({ passAtK, passHatK }: Group): Markup {
  // One trial per task: pass@1 is the pass rate, which stands above.
  if (Object.keys(passAtK).length < 2 && Object.keys(passHatK).length < 2) return NOTHING;
  return html`<section aria-labelledby="repeats"><h2 id="repeats">Repeated trials</h2>
<p class="lead">Tasks solved at least once in k trials, and every time. The gap between them is luck.</p>
<div class="card">${repeatsChart(passAtK, passHatK)}</div></section>`;
}
