/** A sandbox with a planted fault: what it answers is spoiled on its way out. */
import { Sandbox } from "../../src/host/sandbox.ts";
import { createApp } from "../../src/http/app.ts";
import { listen } from "../../src/http/server.ts";
import { Succession } from "../../src/http/succession.ts";
import { unanswered } from "../../src/store/attempts.ts";
import { bareWorld } from "../support/bare-server.ts";
import { furnish, type Stage } from "./stage.ts";

/** What becomes of an answer; `path` is that of its call. */
export type Spoil = (answer: Response, path: string) => Response | Promise<Response>;

/** A stage whose sandbox is right until it is told what to spoil. */
export interface SpoiledStage extends Stage {
  /** What is done to answers from now on. */
  spoilWith(spoil: Spoil): void;
}

/** Sets such a stage. */
export async function setSpoiledStage(): Promise<SpoiledStage> {
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  const send = () => Promise.resolve(unanswered({ kind: "connection_refused", message: "nobody" }, 0));
  const sandbox = new Sandbox({ send, concurrency: 1, onFault }, null);
  sandbox.create(bareWorld);
  const succession = new Succession();
  const app = createApp(sandbox, {
    version: "0",
    controlToken: null,
    allowedHosts: [],
    trustProxy: false,
    pulseMs: 15_000,
    succession,
    onFault,
  });
  let spoil: Spoil = (answer) => answer;
  const fetchSpoiled: typeof app.fetch = async (request, env) => {
    const { pathname } = new URL(request.url);
    const answer = await app.fetch(request, env);
    return spoil(answer, pathname);
  };
  const onConnection = succession.open.bind(succession);
  const { baseUrl, close } = await listen(fetchSpoiled, { host: "127.0.0.1", port: 0, onConnection, onFault });
  const furnished = await furnish(baseUrl);
  const spoilWith = (given: Spoil) => {
    spoil = given;
  };
  const stop = async () => {
    await sandbox.finish();
    await close();
  };
  return { ...furnished, faults, spoilWith, [Symbol.asyncDispose]: stop };
}
