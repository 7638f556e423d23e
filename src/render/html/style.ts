/** The look of the page. Its hash is in the policy, so nothing else can style it. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #faf9f7; --card: #ffffff; --ink: #1c1e22; --soft: #565c68; --faint: #6d7380; --rule: #e6e3dd; --track: #ece9e3;
  --accent: #3a56c5; --accent-soft: #c9d2f5;
  --passed: #2a8c68; --failed: #cd5350; --error: #8b4690; --timeout: #d4982f; --skipped: #aab0ba; --ungraded: #c9cdd4;
  --model: #3a56c5; --tools: #e0a458; --other: #b9bec8;
  --bad: #b3332f; --warn: #8a5a00;
  --heat-1: #f8e3c9; --heat-2: #f3ecc6; --heat-3: #e6efcb; --heat-4: #d5edd2; --all: #b9e3cc; --none: #f5cfcb; --broken: #e6d3ea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131519; --card: #1b1e24; --ink: #e7e9ed; --soft: #a8aeba; --faint: #8d94a1; --rule: #2b2f37; --track: #2a2e36;
    --accent: #93a8ff; --accent-soft: #35406e;
    --passed: #4fb98c; --failed: #e5736f; --error: #b87abd; --timeout: #e0b05a; --skipped: #646b78; --ungraded: #4b515c;
    --model: #7d94f5; --tools: #d9a05a; --other: #5a606c;
    --bad: #ff8f8a; --warn: #e8b85c;
    --heat-1: #4a3620; --heat-2: #48411f; --heat-3: #3a4526; --heat-4: #2c472f; --all: #1f5540; --none: #5a2b2a; --broken: #45304a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 72rem; padding: 3rem 2rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums;
}
h1, h2, h3, h4, p, dl, dd, ul { margin: 0; }
h1 { font-size: 1.375rem; font-weight: 650; letter-spacing: -0.01em; }
h2 { font-size: 1.25rem; font-weight: 650; letter-spacing: -0.01em; }
h3 { font-size: 0.8125rem; font-weight: 600; color: var(--soft); margin: 2rem 0 0.75rem; }
h4 { font-size: 0.9375rem; font-weight: 600; }
a { color: inherit; text-decoration-color: var(--faint); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
section { margin-top: 4rem; }
.name { overflow-wrap: anywhere; }
.scroll .name { display: inline-block; min-width: 8.5rem; }
.scroll tbody th > .name { min-width: 13rem; }
.scroll .note .name { display: inline; }
code { font: 0.875em ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.lead { color: var(--soft); margin: 0.25rem 0 1.25rem; max-width: 44rem; }
.note { color: var(--faint); font-size: 0.8125rem; }
.bad { color: var(--bad); } .warn { color: var(--warn); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.top { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1rem; padding-bottom: 1.25rem; border-bottom: 1px solid var(--rule); }
.top .quality { margin-left: auto; color: var(--soft); font-size: 0.875rem; }
.top b { font-weight: 600; }

.hero { display: grid; grid-template-columns: minmax(0, 11fr) minmax(0, 10fr); gap: 2rem 4rem; margin-top: 2.5rem; }
.hero h2 { font-size: 0.9375rem; font-weight: 600; color: var(--soft); letter-spacing: 0; }
.huge { font-size: clamp(3.5rem, 9vw, 5.25rem); font-weight: 680; line-height: 1.05; letter-spacing: -0.04em; }
.hero .lead { margin: 0.25rem 0 1.25rem; }
.facts { display: grid; grid-template-columns: 1fr 1fr; align-content: start; border-top: 1px solid var(--rule); }
.facts > div { padding: 1.1rem 1rem 1.1rem 0; border-bottom: 1px solid var(--rule); }
.facts dt { font-size: 0.8125rem; color: var(--soft); }
.facts .big { font-size: 1.625rem; font-weight: 620; line-height: 1.25; letter-spacing: -0.02em; }

.card { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 1.25rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: 1rem; }
.metric { display: flex; flex-direction: column; gap: 0.75rem; }
.metric header { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
.metric header p { white-space: nowrap; font-size: 0.8125rem; color: var(--faint); }
.metric header b { font-size: 1.125rem; font-weight: 620; color: var(--ink); }
.metric dl { display: flex; justify-content: space-between; gap: 0.25rem 0.5rem; flex-wrap: wrap; }
.metric dt { font-size: 0.75rem; color: var(--faint); }
.metric dd { font-size: 0.8125rem; white-space: nowrap; }
.metric .note { font-size: 0.75rem; margin-top: auto; }

.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 0 3rem; }
.columns > section { min-width: 0; }
.columns h2 { margin-bottom: 0.75rem; }
.columns.even > section { display: flex; flex-direction: column; }
.columns.even h2 { margin-bottom: 0; }
.columns.even .card { flex: 1; }
.shares { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; margin-top: 1.25rem; }
.shares + .note { margin-top: 1rem; }
.shares dt { font-size: 0.875rem; color: var(--soft); }
.shares .key { margin-right: 0.4rem; vertical-align: -1px; }
.shares .big { font-size: 1.375rem; font-weight: 620; letter-spacing: -0.02em; }
.legend { list-style: none; padding: 0; margin-top: 0.75rem; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; font-size: 0.875rem; color: var(--soft); }
.legend b { font-weight: 600; color: var(--ink); }
.legend .key { margin-right: 0.4rem; vertical-align: -1px; }
section > .legend { margin: 0.5rem 0 0.75rem; }

.scroll { overflow-x: auto; }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: 0.875rem; }
th, td { padding: 0.5rem 0.75rem; text-align: left; vertical-align: middle; border-bottom: 1px solid var(--rule); }
tr > :first-child { padding-left: 0; } tr > :last-child { padding-right: 0; }
thead th { font-weight: 500; color: var(--soft); vertical-align: bottom; white-space: nowrap; font-size: 0.8125rem; }
tbody th { font-weight: 500; min-width: 11rem; max-width: 26rem; }
tbody th .note { display: block; }
tbody tr:last-child > * { border-bottom: 0; }
.number { text-align: right; white-space: nowrap; }
.chart { width: 26%; padding-top: 0; padding-bottom: 0; }
td.chart + .number, th.chart + .number { padding-left: 1.5rem; }
thead th.chart { padding-bottom: 0.25rem; }
thead button { font: inherit; color: inherit; background: none; border: 0; padding: 0; margin: 0; cursor: pointer; }
thead button:hover { color: var(--ink); text-decoration: underline; text-underline-offset: 0.25em; }
[aria-sort="ascending"] button, [aria-sort="descending"] button { color: var(--ink); font-weight: 650; }
[aria-sort="ascending"] button::after { content: " ↑" / ""; }
[aria-sort="descending"] button::after { content: " ↓" / ""; }
.beside { display: inline-block; min-width: 3.75rem; }
table + .note, .scroll + .note { margin-top: 0.75rem; }

svg text { font: 11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
.strip { display: block; overflow: visible; }
.chart .strip { min-width: 12rem; }
.figure { display: block; max-width: 100%; height: auto; overflow: visible; }
.tick { fill: var(--faint); }
.grid { stroke: var(--rule); stroke-width: 1; }
.track { stroke: var(--track); stroke-width: 2; } rect.track { fill: var(--track); stroke: none; }
.band { fill: var(--accent-soft); }
.dot { fill: var(--accent); stroke: var(--paper); stroke-width: 2; }
.error-bar { stroke: var(--accent); stroke-width: 1.75; }
.overall { stroke: var(--faint); stroke-width: 1; stroke-dasharray: 3 3; }
.whisker { stroke: var(--faint); stroke-width: 1.25; }
.box { fill: var(--accent-soft); }
.median { stroke: var(--accent); stroke-width: 3; }
.quantile { stroke: var(--soft); stroke-width: 1.25; }
.mean { fill: var(--ink); }
.passed { fill: var(--passed); } .failed { fill: var(--failed); } .error { fill: var(--error); }
.timeout { fill: var(--timeout); } .skipped { fill: var(--skipped); } .ungraded { fill: var(--ungraded); }
.time-model, .tokens-in { fill: var(--model); } .time-tools, .tokens-out { fill: var(--tools); } .time-other { fill: var(--other); }
.strip > rect:not(.band):not(.box) { stroke: var(--paper); stroke-width: 1; }
.series { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
.series.at, .point.at { stroke: var(--passed); } .series.hat, .point.hat { stroke: var(--model); }
.point { fill: var(--card); stroke-width: 2.5; }
.series-label { font-weight: 600; } .series-label.at { fill: var(--passed); } .series-label.hat { fill: var(--model); }

.cell { display: inline-block; min-width: 3.75rem; padding: 0.2rem 0.5rem; border-radius: 6px; text-align: center; color: var(--ink); }
.lead .cell { min-width: 0; line-height: 1.2; }
.cell.all { background: var(--all); } .cell.none { background: var(--none); } .cell.broken { background: var(--broken); }
.cell.empty { color: var(--faint); }
.heat-1 { background: var(--heat-1); } .heat-2 { background: var(--heat-2); } .heat-3 { background: var(--heat-3); } .heat-4 { background: var(--heat-4); }
.cell.some { box-shadow: inset 0 0 0 1.5px var(--timeout); }
.matrix .number { text-align: center; }
.matrix thead th { white-space: normal; max-width: 10rem; }
.matrix th, .matrix td { padding-top: 0.3rem; padding-bottom: 0.3rem; }

.account { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; margin-bottom: 1.25rem; }
.account dt { font-size: 0.8125rem; color: var(--faint); }
.account dd { font-size: 1.0625rem; font-weight: 550; }
.problems { padding-left: 1.1rem; font-size: 0.875rem; } .problems li { margin: 0.3rem 0; overflow-wrap: anywhere; }
.problems code { color: var(--soft); margin-right: 0.5rem; }
footer { margin-top: 4rem; padding-top: 1.25rem; border-top: 1px solid var(--rule); color: var(--faint); font-size: 0.8125rem; }

@media screen and (max-width: 46rem) {
  body { padding: 1.5rem 1.125rem 3rem; }
  section { margin-top: 3rem; }
  .hero { grid-template-columns: minmax(0, 1fr); margin-top: 2rem; }
  .top .quality { margin-left: 0; flex-basis: 100%; }
  .scroll { margin-right: -1.125rem; padding-right: 1.125rem; }
  tbody th:first-child, thead th:first-child { position: sticky; left: 0; background: var(--paper); max-width: 10.5rem; padding-right: 0.75rem; z-index: 1; }
  .scroll tbody th > .name { min-width: 8.5rem; }
  .columns.wide tbody th:first-child { position: static; max-width: none; }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #fff; --card: #fff; --ink: #000; --soft: #333; --faint: #555; --rule: #ccc; --track: #e5e5e5;
    --accent: #2f49b0; --accent-soft: #cdd6f6; --passed: #2a8c68; --failed: #cd5350; --error: #8b4690; --timeout: #d4982f;
    --skipped: #aab0ba; --ungraded: #c9cdd4; --model: #3a56c5; --tools: #e0a458; --other: #b9bec8; --bad: #a02020; --warn: #7a5000;
    --heat-1: #f8e3c9; --heat-2: #f3ecc6; --heat-3: #e6efcb; --heat-4: #d5edd2; --all: #b9e3cc; --none: #f5cfcb; --broken: #e6d3ea;
  }
  @page { margin: 14mm; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  html { font-size: 12px; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  section { margin-top: 1.75rem; }
  .scroll { overflow: visible; }
  h2, h3, .lead { break-after: avoid; break-inside: avoid; }
  .metric dd { font-size: 6.5pt; }
  .hero { grid-template-columns: 1fr 1fr; gap: 2rem; }
  .card, tr, .hero, .facts > div { break-inside: avoid; }
  .cards { grid-template-columns: repeat(3, 1fr); gap: 0.5rem; }
  .card { padding: 0.75rem; }
  .columns { grid-template-columns: 1fr 1fr; }
  thead { display: table-header-group; }
  th, td { padding: 0.25rem 0.4rem; }
  table { font-size: 8pt; }
  thead th { font-size: 7.5pt; white-space: normal; }
  td.chart + .number, th.chart + .number { padding-left: 0.5rem; }
  svg.share { display: none; }
  .beside { min-width: 0; }
  svg text { font-size: 8px; }
  .chart .strip { min-width: 6rem; }
  .scroll tbody th > .name { min-width: 8rem; }
  thead button::after { content: none !important; }
}
`;
