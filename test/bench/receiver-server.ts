/** A receiver that answers 200 to everything. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200).end());
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(
    `${JSON.stringify({ base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` })}\n`,
  );
});
process.on("SIGTERM", () => process.exit(0));
