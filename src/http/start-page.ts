/**
 * What a browser gets at the base of a world where no dashboard was built: in a checkout that runs from its sources.
 */

/** A page that says what runs here, where to go, and how to get the dashboard. */
export function startPage(version: string, base: string): string {
  const links = [
    "/_sandbox/",
    "/_sandbox/transactions",
    "/_sandbox/webhooks",
    "/_sandbox/journal",
    "/_sandbox/ledger/check",
  ];
  const items = links.map((path) => `<li><a href="${base}${path}"><code>${base}${path}</code></a></li>`).join("");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>payments-sandbox</title>
<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>payments-sandbox ${version}</h1>
<p>The dashboard has not been built in this checkout: <code>npm run build:dashboard</code> builds it, then load this page again.</p>
<p>The service answers below <code>${base}/v2</code>. Its control interface:</p>
<ul>${items}</ul>
</html>`;
}
