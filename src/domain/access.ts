/** What may be demanded of those who steer a sandbox: the forms of host names and of the control token. */

/** As the Domain Name System has it. */
const MAX_HOST_NAME = 253;

/** As long as fits well into a header. */
const MAX_TOKEN = 1_024;

/** What a host name must be, as the end of a sentence that begins with what it was given as. */
export const HOST_NAME_RULE = "must be a host name such as sandbox.example.dev, without scheme, port or path";

/** What a control token must be, likewise. */
export const CONTROL_TOKEN_RULE = `must be 1 to ${MAX_TOKEN} letters, digits and signs of ASCII, without blanks`;

/**
 * A host name as browsers send it: `Sandbox.example.dev` gives `sandbox.example.dev`.
 * @returns null for what is none, be it a name with a scheme, a port or a path.
 */
export function hostNameOf(text: string): string | null {
  if (text.length > MAX_HOST_NAME || !/^[^\s:/?#@\\*]+$/.test(text) || !URL.canParse(`http://${text}`)) return null;
  return new URL(`http://${text}`).hostname;
}

/** Whether a caller can send a token as `Authorization: Bearer TOKEN`; another one would lock everybody out. */
export function isControlToken(text: string): boolean {
  return text.length <= MAX_TOKEN && /^[\x21-\x7e]+$/.test(text);
}

/** Whether nobody but this machine reaches what listens there. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
