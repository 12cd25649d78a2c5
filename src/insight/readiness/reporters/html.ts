/** The readiness report as a self-contained page, which loads nothing and runs no script. */
import { escapedMarkup as escaped } from "../../formats/markup.ts";
import type { ReadinessCheck, ReadinessReport } from "../report.ts";
import { tally, verdictWords } from "./summary.ts";

const SIGNS = { pass: "✓", fail: "✗", warn: "!", not_observed: "·" } as const;

const STYLE = `
:root { color-scheme: light dark; --pass: #17703c; --fail: #b3261e; --warn: #8a5a00; --muted: #5c6370; --line: #d5d9e0; }
@media (prefers-color-scheme: dark) {
  :root { --pass: #6fcf97; --fail: #ff8a80; --warn: #f2c14e; --muted: #a3abb8; --line: #3a4150; }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; }
h2 { font-size: 1rem; margin: 0; }
p { margin: 0.25rem 0; }
ul { list-style: none; margin: 1.5rem 0; padding: 0; }
li { display: grid; grid-template-columns: 8rem 1fr; gap: 1rem; padding: 0.75rem 0; border-top: 1px solid var(--line); }
code { font: 0.85em ui-monospace, monospace; overflow-wrap: anywhere; }
.pass { color: var(--pass); } .fail { color: var(--fail); } .warn { color: var(--warn); }
.not_observed, .muted { color: var(--muted); }
.verdict { font-weight: 600; }
@media (max-width: 36rem) { li { grid-template-columns: 1fr; gap: 0.25rem; } }
`;

/** @param world the id of the world that was judged. */
export function htmlReport(report: ReadinessReport, world: string): string {
  const title = escaped(`Readiness of the integration in the world ${world}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="verdict ${report.verdict}">${verdictWords[report.verdict].whole}</p>
<p class="muted">${tally(report)}</p>
<ul>
${report.checks.map(item).join("\n")}
</ul>
</main>
</body>
</html>
`;
}

function item(check: ReadinessCheck): string {
  const { title, verdict, detail, evidence, evidence_truncated, advice, source } = check;
  const ids = evidence.map((id) => `<code>${escaped(id)}</code>`).join(", ");
  const paragraphs = [
    `<p>${escaped(detail)}</p>`,
    advice === "" ? "" : `<p><strong>What to do:</strong> ${escaped(advice)}</p>`,
    ids === "" ? "" : `<p class="muted">Evidence: ${ids}${evidence_truncated ? " and more" : ""}</p>`,
    `<p class="muted">Source: ${escaped(source)}</p>`,
  ].filter((paragraph) => paragraph !== "");
  const sign = `${SIGNS[verdict]} ${verdict.replace("_", " ")}`;
  const head = `<span class="verdict ${verdict}">${sign}</span>`;
  return `<li>${head}<div><h2>${escaped(title)}</h2>${paragraphs.join("")}</div></li>`;
}
