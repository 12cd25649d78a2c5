import type { NewCall } from "../../src/store/requests.ts";

/** A call as it is logged, `req_1` for number 1. @param more where it differs. */
export function loggedCall(number: number, more: Partial<NewCall> = {}): NewCall {
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
    headers: {},
    body: Buffer.alloc(0),
    too_large: false,
    status: 200,
    error_code: null,
    response_headers: {},
    response_body: "",
    wall_at: 0,
    sent_after: null,
    in_company: false,
    proof: {},
    duration_ms: 0,
    ...more,
  };
}
