import { expect, test } from "vitest";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

test("D51 QA gets the files of a reply back byte for byte, as a download", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const { transaction_id } = (await merchant.cashin({ currency: "BRL", amount: 10 })).body.data;
  await world.act(transaction_id, "pay");
  await world.act(transaction_id, "dispute");
  const [dispute] = await world.all<{ infraction_id: string }>("/disputes");
  const id = dispute?.infraction_id ?? "";
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
});
