/** `POST /v2/oauth/token`: JSON, form fields or HTTP Basic, as OAuth 2.0 clients send them (`D10`). */
import { z } from "zod";
import { DomainError } from "../domain/errors.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { textField } from "../service/input.ts";
import { issueToken, secretMatches, TOKEN_LIFETIME_S } from "../service/tokens.ts";
import type { EndpointCall } from "./endpoint.ts";

/** The body of a token request, as JSON or as form fields; HTTP Basic may stand in for the first two. */
export const tokenRequest = onFirstUse(() =>
  z.object({
    client_id: textField(200).nullish(),
    client_secret: textField(200).nullish(),
    grant_type: z.literal("client_credentials", { error: "must be client_credentials" }).nullish(),
  }),
);

const OTHER_SECRET = "This world knows the client_id; the client_secret is another.";
const UNKNOWN_CLIENT =
  "This world has no such client_id: each world has credentials of its own, see /_sandbox/accounts below its address.";

/** Gives a token for right credentials. @throws {DomainError} UNAUTHORIZED, INVALID_REQUEST. */
export function answerToken(input: z.infer<ReturnType<typeof tokenRequest>>, call: EndpointCall) {
  let hint: string | undefined;
  const credential = call.prove(() => {
    const { clientId, clientSecret } = credentialsOf(input, call.headers.authorization);
    const named = call.operation.world.accounts.credential(clientId);
    hint = named ? OTHER_SECRET : UNKNOWN_CLIENT;
    return secretMatches(clientSecret, named?.client_secret ?? "") ? named : undefined;
  });
  if (!credential) {
    const authenticate = basicCredentials(call.headers.authorization) && 'Basic realm="payments"';
    const details = {
      authenticationFailure: true,
      ...(hint ? { hint } : {}),
      ...(authenticate ? { authenticate } : {}),
    };
    throw new DomainError("UNAUTHORIZED", "The client credentials are invalid.", details);
  }
  const access_token = issueToken(call.operation, credential);
  return { access_token, token_type: "Bearer", expires_in: TOKEN_LIFETIME_S };
}

function credentialsOf(
  input: z.infer<ReturnType<typeof tokenRequest>>,
  authorization: string | undefined,
): { clientId: string; clientSecret: string } {
  const basic = basicCredentials(authorization);
  const clientId = input.client_id ?? basic?.clientId;
  const clientSecret = input.client_secret ?? basic?.clientSecret;
  if (clientId && clientSecret) return { clientId, clientSecret };
  const missing = [clientId ? [] : ["client_id is missing"], clientSecret ? [] : ["client_secret is missing"]].flat();
  throw new DomainError("INVALID_REQUEST", `${missing.join("; ")}.`);
}

/** User and password of HTTP Basic, form-encoded as RFC 6749 section 2.3.1 has it. */
function basicCredentials(authorization: string | undefined): { clientId: string; clientSecret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? "")?.[1];
  if (!encoded) return undefined;
  const [user = "", ...password] = Buffer.from(encoded, "base64").toString().split(":");
  return { clientId: formDecoded(user), clientSecret: formDecoded(password.join(":")) };
}

function formDecoded(text: string): string {
  return new URLSearchParams(`value=${text}`).get("value") ?? text;
}
