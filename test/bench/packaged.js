// What users have: the built product, started as the package's command starts it.
import { enableCompileCache } from "node:module";

enableCompileCache();
const { main } = await import("../../dist/cli/main.js");
await main(process.argv.slice(2));
