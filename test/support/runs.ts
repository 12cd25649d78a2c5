/** What runs of scenarios are given by tests: where webhooks go, and what becomes of a fault of the sandbox. */
import { afterAll } from "vitest";
import { Network } from "../../src/network/network.ts";
import { type RunResult, runScenario } from "../../src/runs/run.ts";

/** A network that sends the webhooks of the tests of a file, and is closed after them. */
export function useNetwork(): Network {
  const network = new Network(10_000, { ipv4: null, ipv6: null });
  afterAll(() => network.close());
  return network;
}

/** For runs that send nothing: whatever is sent fails. */
export const sendNothing = () => Promise.reject(new Error("Nothing is sent."));

/** Throws a fault of the sandbox. */
export function throwFault(fault: unknown): never {
  throw fault;
}

/** A function that plays the text of a scenario, and sends its webhooks; a fault of the sandbox fails the test. */
export function usePlayer(): (text: string, file: string) => Promise<RunResult> {
  const network = useNetwork();
  return (text, file) => runScenario({ text, file }, { send: network.send, onFault: throwFault });
}
