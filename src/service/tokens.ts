/** Access tokens: JWT HS256, valid for an hour of the world's clock (`D10`, `D11`). */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Credential } from "../store/accounts.ts";
import type { Instant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import { firstHexIdAt, instantOfHexId, seedDigest } from "../world/random.ts";
import type { World } from "../world/world.ts";

/** A token is valid for an hour of the world's clock, which is `expires_in` (`D10`). */
export const TOKEN_LIFETIME_S = 3600;

const HEADER = Buffer.from(JSON.stringify({ alg: "HS256", typ: "JWT" })).toString("base64url");
const REMEMBERED_TOKENS = 10_000;

/** What the signature of a token vouches for. */
export interface Claims {
  readonly clientId: string;
  readonly expiresAt: Instant;
}

/** Tokens whose signature has been verified, per world; only their expiry is checked again. */
const verified = new WeakMap<World, Map<string, Claims>>();

/** A new token for a credential; an older one stays valid until it expires. */
export function issueToken(operation: Operation, credential: Credential): string {
  const { random, identity } = operation.world;
  const id = random.hexId("token", operation.now);
  return tokenWith(identity.seed, credential.client_id, operation.now, id);
}

/**
 * A token as the service would issue it, for clients that control the world and know its seed, from which the key is
 * derived. Unlike a call for a token it counts in no rate window.
 */
export function tokenBySeed(seed: number, clientId: string, now: Instant): string {
  return tokenWith(seed, clientId, now, firstHexIdAt(now));
}

function tokenWith(seed: number, clientId: string, now: Instant, id: string): string {
  const iat = Math.floor(now / 1000);
  const claims = { sub: clientId, iat, exp: iat + TOKEN_LIFETIME_S, jti: id };
  const signed = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
  return `${signed}.${sign(seed, signed).toString("base64url")}`;
}

/** The credential that a token was given to; undefined when it is forged, malformed or expired. */
export function credentialOfToken(world: World, token: string, now: Instant): Credential | undefined {
  const known = tokensOf(world);
  let claims = known.get(token);
  if (!claims) {
    claims = claimsOfToken(world, token);
    if (!claims) return undefined;
    if (known.size >= REMEMBERED_TOKENS) known.clear();
    known.set(token, claims);
  }
  return now < claims.expiresAt ? world.accounts.credential(claims.clientId) : undefined;
}

/**
 * Whom a token was given to, and when it expires or has expired; undefined for a token that was not signed with the
 * world's seed. Another world of this seed may have issued it.
 */
export function claimsOfToken(world: World, token: string): Claims | undefined {
  const [header, payload, signature, ...rest] = token.split(".");
  if (header !== HEADER || !payload || !signature || rest.length > 0) return undefined;
  const given = Buffer.from(signature, "base64url");
  const expected = sign(world.identity.seed, `${header}.${payload}`);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  if (given.toString("base64url") !== signature) return undefined;
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as { sub: string; jti: string };
  // The claims are in whole seconds, as many clients expect; the id has the exact instant of issue.
  return { clientId: claims.sub, expiresAt: instantOfHexId(claims.jti) + TOKEN_LIFETIME_S * 1000 };
}

/** Whether an invalid token begins like one of this world's credentials, so that its end was changed or cut off. */
export function isSpoiltToken(world: World, token: string): boolean {
  const [header, payload = ""] = token.split(".");
  const [, clientId = ""] = /"sub":"([^"]*)"/.exec(Buffer.from(payload, "base64url").toString()) ?? [];
  return header === HEADER && world.accounts.credential(clientId) !== undefined;
}

/** Compares secrets in constant time. */
export function secretMatches(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac("sha256", "secret comparison").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function sign(seed: number, text: string): Buffer {
  return createHmac("sha256", seedDigest(seed, "token key", seed))
    .update(text)
    .digest();
}

function tokensOf(world: World): Map<string, Claims> {
  const known = verified.get(world);
  if (known) return known;
  const tokens = new Map<string, Claims>();
  verified.set(world, tokens);
  return tokens;
}
