import type { NewCall } from "../../src/store/logged-calls.ts";

/** What is particular of a call. */
type Particular = Partial<Omit<NewCall, "headers">> & { readonly headers?: Readonly<Record<string, string>> };

/** A call as it is logged, `req_1` for number 1. @param more where it differs. */
export function loggedCall(number: number, { headers = {}, ...more }: Particular = {}): NewCall {
  const key = JSON.stringify(headers);
  return {
    request_id: `req_${number}`,
    ordinal: number,
    entry: number,
    at: 0,
    client_id: null,
    ip: "127.0.0.1",
    method: "POST",
    path: "/v2/transactions/cashin",
    query: "",
    headers: { key, text: () => key },
    body: Buffer.alloc(0),
    too_large: false,
    status: 200,
    error_code: null,
    answer_headers: { limit: 60, remaining: 59, resetsAtSeconds: 60, world: "default", more: {} },
    response_body: "",
    wall_at: 0,
    sent_after: null,
    in_company: false,
    proof: {},
    duration_ms: 0,
    ...more,
  };
}
