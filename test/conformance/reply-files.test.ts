import { expect, test } from "vitest";
import { expectRefusal, expectSuccess } from "../support/answers.ts";
import { openedDispute, pdf, reply } from "../support/disputes.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

test.each(["x", "b", "--", "xx xx"])(
  "D51 the boundary %j may stand in texts and files, where it is none",
  async (boundary) => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const { infractionId: id } = await openedDispute(world, merchant);
    const content = `%PDF-1.7 ${boundary}\r\n${boundary}\r\n --${boundary} --${boundary}-- --${boundary}\r\n--${boundary}y\r\n`;
    const text = `${boundary} was delivered --${boundary}`;
    const parts = [
      `Content-Disposition: form-data; name="infraction_id"\r\n\r\n${id}`,
      `Content-Disposition: form-data; name="text"\r\n\r\n${text}`,
      `Content-Disposition: form-data; name="files"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n${content}`,
    ];
    const body = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`;
    const headers = { "Content-Type": `multipart/form-data; boundary="${boundary}"` };
    expectSuccess(await merchant.call("POST", "/v2/account/infractions/reply", body, headers));
    const info = await world.disputes.get(id);
    expect(info.reply?.text).toBe(text);
    const sent = await world.disputes.file(id, 1);
    expect(Buffer.from(sent.content).toString()).toBe(content);
  },
);

test("D51 blanks behind a boundary are none of the form (RFC 2046)", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const { infractionId: id } = await openedDispute(world, merchant);
  const field = (name: string, value: string) =>
    `--row \t\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = `${field("infraction_id", id)}${field("text", " sent")}--row--\r\n`;
  const headers = { "Content-Type": "multipart/form-data; boundary=row" };
  expectSuccess(await merchant.call("POST", "/v2/account/infractions/reply", body, headers));
  expect((await world.disputes.get(id)).reply?.text).toBe(" sent");
});

test("D51 D20 blanks in a part's header take no longer than they are many", async () => {
  const merchant = await Merchant.of(await file.world());
  // Looked through once for each of them, they would take minutes, in which nobody is served.
  const header = `Content-Disposition:${" ".repeat(600_000)}\n;`;
  const headers = { "Content-Type": "multipart/form-data; boundary=row" };
  const body = `--row\r\n${header}\r\n\r\nsent\r\n--row--\r\n`;
  const answer = await merchant.call("POST", "/v2/account/infractions/reply", body, headers);
  expectRefusal(answer, 400, "INVALID_REQUEST", "multipart form");
});

test("D51 D20 a part's header may have any number of parameters, and is no fault of ours", async () => {
  const merchant = await Merchant.of(await file.world());
  const header = `Content-Disposition: form-data; name="text"${";a=b".repeat(1_000_000)}`;
  const headers = { "Content-Type": "multipart/form-data; boundary=row" };
  const body = `--row\r\n${header}\r\n\r\nsent\r\n--row--\r\n`;
  const answer = await merchant.call("POST", "/v2/account/infractions/reply", body, headers);
  expectRefusal(answer, 400, "INVALID_REQUEST");
  expect(answer.body.error.message).toBe("infraction_id is missing.");
});

test.each<[string, readonly [string, Buffer][], string]>([
  ["a text that is no UTF-8", [["text", Buffer.from([0xff, 0xfe, 0x61])]], "text must be text in UTF-8."],
  [
    "two texts",
    [
      ["text", Buffer.from("one")],
      ["text", Buffer.from("two")],
    ],
    "text must be given once.",
  ],
  [
    "two disputes",
    [
      ["infraction_id", Buffer.from("inf_other")],
      ["text", Buffer.from("one")],
    ],
    "infraction_id must be given once.",
  ],
])("D51 D20 refused: %s, and the dispute stays open", async (_what, fields, message) => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const { infractionId: id } = await openedDispute(world, merchant);
  const parts = [["infraction_id", Buffer.from(id)] as const, ...fields].flatMap(([name, content]) => [
    Buffer.from(`--row\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
    content,
    Buffer.from("\r\n"),
  ]);
  const body = Buffer.concat([...parts, Buffer.from("--row--\r\n")]);
  const headers = { "Content-Type": "multipart/form-data; boundary=row" };
  const answer = await merchant.call("POST", "/v2/account/infractions/reply", body, headers);
  expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([400, "INVALID_REQUEST", message]);
  expect((await world.disputes.get(id)).status).toBe("open");
});

test("D51 a text may have the sign that stands for what cannot be read", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const { infractionId: id } = await openedDispute(world, merchant);
  expectSuccess(await reply(merchant, { infraction_id: id, text: "It said \uFFFD." }));
  expect((await world.disputes.get(id)).reply?.text).toBe("It said \uFFFD.");
});

test("D51 QA gets the files of a reply back byte for byte, as a download", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const { infractionId: id } = await openedDispute(world, merchant);
  const content = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.from([0, 255, 13, 10, 128])]);
  const form = new FormData();
  form.set("infraction_id", id);
  form.set("text", "It was delivered on time.");
  form.append("files", new Blob([content]), "recibo ção.pdf");
  const answer = await fetch(`${world.baseUrl}/v2/account/infractions/reply`, {
    method: "POST",
    headers: { Authorization: `Bearer ${merchant.token}` },
    body: form,
  });
  expect(answer.status).toBe(200);

  const response = await fetch(`${world.baseUrl}/_sandbox/disputes/${id}/files/1`);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("content-disposition")).toContain(
    "attachment; filename*=UTF-8''recibo%20%C3%A7%C3%A3o.pdf",
  );
  await expect(world.call("GET", `/disputes/${id}/files/2`)).rejects.toThrow("There is no file 2");
  await expect(world.call("GET", "/disputes/inf_x/files/1")).rejects.toThrow("There is no dispute inf_x.");
});

test("D51 a file of a name that no header has room for is given with the end of it", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const { infractionId: infraction_id } = await openedDispute(world, merchant);
  const files = [{ name: `${"\u{1f9fe}".repeat(2_000)}.pdf`, content: pdf }];
  expectSuccess(await reply(merchant, { infraction_id, text: "It was delivered on time.", files }));
  const sent = await world.disputes.file(infraction_id, 1);
  expect(Buffer.from(sent.content)).toEqual(pdf);
  expect(sent.name).toMatch(/^\u{1f9fe}{100,200}\.pdf$/u);
});

test.each([
  ['proof \\"final\\".pdf', 'proof "final".pdf', "Go, Java and older curl"],
  ["proof %22final%22.pdf", 'proof "final".pdf', "browsers"],
  ["C:\\proofs\\\\final.pdf", "C:\\proofs\\\\final.pdf", "a path of Windows"],
])('D51 the name of a file may have quotes: filename="%s" is %s, as %s write it', async (written, name) => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const { infractionId: id } = await openedDispute(world, merchant);
  const content = '%PDF-1.7 filename=\\"kept\\"\r\n\r\n\\"kept\\"';
  const parts = [
    `Content-Disposition: form-data; name="infraction_id"\r\n\r\n${id}`,
    'Content-Disposition: form-data; name="text"\r\n\r\nIt was \\"delivered\\".',
    `Content-Disposition: form-data; name="files"; filename="${written}"\r\n\r\n${content}`,
  ];
  const body = `${parts.map((part) => `--line\r\n${part}\r\n`).join("")}--line--\r\n`;
  const headers = { "Content-Type": "multipart/form-data; boundary=line" };
  expectSuccess(await merchant.call("POST", "/v2/account/infractions/reply", body, headers));
  const { reply: kept } = await world.disputes.get(id);
  expect(kept?.text).toBe('It was \\"delivered\\".');
  expect(kept?.files[0]?.name).toBe(name);
  const sent = await world.disputes.file(id, 1);
  expect(Buffer.from(sent.content).toString()).toBe(content);
});

/** Replies to a dispute with a third part as it is given. @param end what follows the last boundary. */
function replyWith(merchant: Merchant, infractionId: string, part: string, end = "") {
  const parts = [
    `Content-Disposition: form-data; name="infraction_id"\r\n\r\n${infractionId}`,
    'Content-Disposition: form-data; name="text"\r\n\r\nIt was delivered.',
    part,
  ];
  const body = `${parts.map((each) => `--row\r\n${each}\r\n`).join("")}--row--${end}`;
  const headers = { "Content-Type": "multipart/form-data; boundary=row" };
  return merchant.call("POST", "/v2/account/infractions/reply", body, headers);
}

test.each(["base64", "BASE64", "Base64"])(
  "D51 a file in %s, however the word is written (RFC 2045)",
  async (coding) => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const { infractionId } = await openedDispute(world, merchant);
    const head = `Content-Disposition: form-data; name="files"; filename="a.pdf"\r\nContent-Transfer-Encoding: ${coding}`;
    expectSuccess(await replyWith(merchant, infractionId, `${head}\r\n\r\n${pdf.toString("base64")}`));
    const [sent] = (await world.disputes.get(infractionId)).reply?.files ?? [];
    expect(sent?.size).toBe(pdf.length);
  },
);

test.each([
  [`form-data; name="files"; filename="re?u.pdf"; filename*=UTF-8''re%C3%A7u.pdf`, "reçu.pdf"],
  ["form-data; name=files; filename=proof.pdf", "proof.pdf"],
  ['Form-Data; Name="files"; FileName="a;b=c.pdf"', "a;b=c.pdf"],
  ['form-data; name="files"; filename=""', ""],
  ["form-data; name=\"files\"; filename*=ISO-8859-1''re%E7u.pdf", undefined],
  ['form-data; name="files', undefined],
  ['form-data; filename="proof.pdf"', undefined],
  ['attachment; name="files"; filename="proof.pdf"', undefined],
])("D51 a part may be headed %s: its file is %s", async (disposition, name) => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const { infractionId: id } = await openedDispute(world, merchant);
  const answer = await replyWith(merchant, id, `content-disposition: ${disposition}\r\n\r\n%PDF-1.7`);
  expect(answer.body.error?.message).toBe(
    name === undefined ? "The body must be a multipart form of at most 100 parts." : undefined,
  );
  expect((await world.disputes.get(id)).reply?.files[0]?.name).toBe(name);
});

test("D51 a field for files in which a browser's user has chosen none is no file", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const { infractionId: id } = await openedDispute(world, merchant);
  const none = 'Content-Disposition: form-data; name="files"; filename=""\r\nContent-Type: application/octet-stream';
  expectSuccess(await replyWith(merchant, id, `${none}\r\n\r\n`, "\r\n"));
  expect((await world.disputes.get(id)).reply?.files).toEqual([]);
});

test("D51 what is there and empty is told apart from what is missing", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const { infractionId: id } = await openedDispute(world, merchant);
  const messageOf = async (parts: object) => (await reply(merchant, parts)).body.error.message;
  expect(await messageOf({ infraction_id: id, text: "" })).toBe("text must not be empty.");
  expect(await messageOf({ infraction_id: id })).toBe("text is missing.");
});

test.each([
  ['name="files"', "infraction_id is missing; files[0] must come with a file name."],
  ['name="infraction_id"; filename="id.txt"', "infraction_id must come without a file name."],
])("D51 D20 a file is what has a file name: a part with %s is refused as such", async (head, message) => {
  const merchant = await Merchant.of(await file.world());
  const parts = [`form-data; ${head}\r\n\r\n%PDF-1.7`, 'form-data; name="text"\r\n\r\nIt was delivered.'];
  const body = `${parts.map((part) => `--row\r\nContent-Disposition: ${part}\r\n`).join("")}--row--`;
  const headers = { "Content-Type": "multipart/form-data; boundary=row" };
  const answer = await merchant.call("POST", "/v2/account/infractions/reply", body, headers);
  expect([answer.status, answer.body.error.message]).toEqual([400, message]);
});
