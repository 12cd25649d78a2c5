/** Forms of the host names and of the control token that control callers of a sandbox must use. */

/** The limit of the Domain Name System, in characters. */
const MAX_HOST_NAME = 253;

/** In characters; short enough to fit into a header. */
const MAX_TOKEN = 1_024;

/** What a host name must be; the sentence begins with the name of the option or field. */
export const HOST_NAME_RULE = "must be a host name such as sandbox.example.dev, without scheme, port or path";

/** What a control token must be; the sentence begins with the name of the option or field. */
export const CONTROL_TOKEN_RULE = `must be 1 to ${MAX_TOKEN} letters, digits and signs of ASCII, without blanks`;

/**
 * Normalizes a host name to what browsers send: `Sandbox.example.dev` gives `sandbox.example.dev`.
 * @returns null where the text is not a host name alone, such as one with a scheme, a port or a path.
 */
export function allowedHostOf(text: string): string | null {
  if (text.length > MAX_HOST_NAME || !/^[^\s:/?#@\\*]+$/.test(text) || !URL.canParse(`http://${text}`)) return null;
  return new URL(`http://${text}`).hostname;
}

/** Whether a token can be sent as `Authorization: Bearer TOKEN`; any other would lock every caller out. */
export function isControlToken(text: string): boolean {
  return text.length <= MAX_TOKEN && /^[\x21-\x7e]+$/.test(text);
}

/** Whether a server that listens on this host can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
