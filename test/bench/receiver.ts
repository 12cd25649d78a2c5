/** A merchant's receiver that answers 200 as fast as can be. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200).end();
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`base URL http://127.0.0.1:${(server.address() as AddressInfo).port}/hook\n`);
});
