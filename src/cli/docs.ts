/** Writes the pages of `docs/` that are made from tables. Run by `npm run docs`; no command for users. */
import { mkdirSync, writeFileSync } from "node:fs";
import { statePage } from "../domain/state-page.ts";

const folder = new URL("../../docs/", import.meta.url);

mkdirSync(folder, { recursive: true });
writeFileSync(new URL("states.md", folder), statePage());
