/** An independent judge of RFCs; its types name a default export that it has not. */
import { createRequire } from "node:module";

/** Says whether a text is an RFC, and of whom. */
export const judgeRfc: (text: string) => { isValid: boolean; type?: string; errors?: string[] } = createRequire(
  import.meta.url,
)("validate-rfc");
