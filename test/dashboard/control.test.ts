/** The calls of the dashboard, where the network breaks off. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";
import { Control } from "../../src/dashboard/wire/control.ts";

test("an answer that breaks off within its body is one that did not come, to be asked for again", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "Content-Length": "100" });
    response.write('{"items": [', () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const control = new Control({ base, root: base });
  const lost = { name: "ControlError", status: 0, code: "UNREACHABLE" };
  await expect(control.get("/accounts")).rejects.toMatchObject(lost);
  await expect(control.file("/disputes/inf_1/files/1")).rejects.toMatchObject(lost);
  server.close();
});

test.each(["пароль", "pass\u0100", "two\nlines"])(
  "a token that no header can carry is not the token: %j",
  async (token) => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
    };
    vi.stubGlobal("sessionStorage", storage);
    const control = new Control({ base: "http://127.0.0.1:9", root: "http://127.0.0.1:9" });
    control.keepToken(token);
    await expect(control.get("/")).rejects.toMatchObject({ name: "ControlError", status: 401 });
    await expect(control.openStream(0, new AbortController().signal)).rejects.toMatchObject({ status: 401 });
    vi.unstubAllGlobals();
  },
);

test.each([".", ".."])("an id that an address takes for a folder asks for nothing else: %s", async (id) => {
  const control = new Control({ base: "http://127.0.0.1:9", root: "http://127.0.0.1:9" });
  const refused = { name: "ControlError", status: 404, message: `There is nothing with the id “${id}”.` };
  await expect(control.get(`/transactions/${encodeURIComponent(id)}`)).rejects.toMatchObject(refused);
  await expect(control.get(`/disputes/${encodeURIComponent(id)}?limit=1`)).rejects.toMatchObject(refused);
  await expect(control.file(`/disputes/${encodeURIComponent(id)}/files/1`)).rejects.toMatchObject(refused);
});
