/** For `node --import`: tells on file descriptor 3 the address of every file that the process loads, one a line. */
import { writeSync } from "node:fs";
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, next) {
    writeSync(3, `${url}\n`);
    return next(url, context);
  },
});
