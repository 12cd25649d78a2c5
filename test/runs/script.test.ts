/** What is filled in of a merchant's script, and what stands as it was written. */
import { expect, test } from "vitest";
import { runScenario } from "../../src/runs/run.ts";

function run(text: string) {
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const send = () => Promise.reject(new Error("Nothing is sent."));
  return runScenario({ file: "script.yaml", text }, { concurrency: 1, send, onFault });
}

const charge = "  - call: POST /v2/transactions/cashin\n";

test("the name of a step is for people: what looks like a reference in it is none", async () => {
  const name = `buys for \${price.total}`;
  const { expectations } = await run(
    `scenario: named\nmerchant:\n${charge}    name: ${name}\n    body: { currency: BRL, amount: 5 }\n`,
  );
  expect(expectations).toMatchObject([{ text: name, verdict: "pass" }]);
});

test("a body is filled in whatever its keys are called", async () => {
  const body = `{ currency: BRL, amount: 5, external_id: "order-\${index}", toJSON: x }`;
  const answered = "    expect: { data: { external_id: order-1 } }\n";
  const { expectations } = await run(`scenario: keyed\nmerchant:\n${charge}    body: ${body}\n${answered}`);
  expect(expectations).toMatchObject([{ verdict: "pass" }]);
});

test("D21: a body of more than 1 MiB is refused as a server refuses it, and a file of a reply above 12 MiB", async () => {
  const large = `${charge}    body: { currency: BRL, amount: 5, padding: ${"x".repeat(1024 * 1024)} }\n`;
  const files = "[{ name: a.pdf, type: application/pdf, size: 12582912 }]";
  const reply = `  - call: POST /v2/account/infractions/reply\n    form: { infraction_id: x, files: ${files} }\n`;
  const refused = "    expect: { status: 413, error: PAYLOAD_TOO_LARGE }\n";
  const { expectations } = await run(`scenario: large\nmerchant:\n${large}${refused}${reply}${refused}`);
  expect(expectations).toMatchObject([{ verdict: "pass" }, { verdict: "pass" }]);
});

test("a condition on what an answer never has fails, though it says only what is not there", async () => {
  const body = "    body: { currency: BRL, amount: 5 }\n";
  const { expectations } = await run(
    `scenario: misspelt\nmerchant:\n${charge}${body}    expect: { data: { statsu: { not: failed } } }\n` +
      `${charge}${body}    expect: { data: { txid: null } }\n${charge}${body}    expect: { data: { chain: null } }\n`,
  );
  const detail = 'the answer of POST /v2/transactions/cashin has no field "statsu"; did you mean "status"?';
  expect(expectations).toMatchObject([{ verdict: "fail", detail }, { verdict: "fail" }, { verdict: "pass" }]);
});

test("a reference to a list or an object is no condition: an empty list would hold for anything", async () => {
  const list = "  - call: POST /v2/account/transactions/list\n    body: { status: failed }\n    save: list\n";
  const again = `  - call: POST /v2/account/transactions/list\n    expect: { data: { items: "\${list.items}" } }\n`;
  const where = `expect:\n  - { transaction: { status: "\${list.items}" } }\n`;
  const { expectations } = await run(`scenario: parts\nmerchant:\n${list}${again}${where}`);
  const detail = `\${list.items}: it is a list, of which a condition takes no more than a part`;
  expect(expectations.slice(1)).toMatchObject([
    { verdict: "fail", detail },
    { verdict: "fail", detail },
  ]);
});

test("a currency that the account does not have is no balance, whatever it is not to be", async () => {
  const { expectations } = await run("scenario: poorer\nexpect:\n  - balance: { POL: { not: 5 } }\n");
  expect(expectations).toMatchObject([{ verdict: "fail", detail: "acme has POL none" }]);
});
