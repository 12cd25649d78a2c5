/** What a browser shows at the base of a world. */

/** A page that says what runs here and where to go. */
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
<p>The service answers below <code>${base}/v2</code>. Its control interface:</p>
<ul>${items}</ul>
</html>`;
}
