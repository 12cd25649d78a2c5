/** A way to a server that can be cut and mended: what a page sees of a network that breaks off. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

interface Cuttable extends AsyncDisposable {
  /** The address by which the server is reached through it. */
  readonly baseUrl: string;
  /** Breaks every connection, and lets none through. */
  cut(): void;
  mend(): void;
}

export async function cuttableWayTo(baseUrl: string): Promise<Cuttable> {
  const { hostname, port } = new URL(baseUrl);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((incoming) => {
    if (isCut) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(Number(port), hostname);
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        open.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
      breakAll();
    },
    mend: () => {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
