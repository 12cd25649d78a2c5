import { Command } from "commander";
import { certificateCodes } from "../../domain/certificate-codes.ts";
import { rootOf } from "../../domain/web-address.ts";
import { jsonIn } from "../../domain/written-json.ts";
import { addressOf, urlOption } from "../address.ts";
import { idleJsonOption } from "../option-values.ts";
import { UsageError } from "../usage-error.ts";
import { URL_VARIABLE } from "../variables.ts";

const TIMEOUT_MS = 5_000;

/**
 * `payments-sandbox health`: the health check of a container (interface, section 8). Exit 1 if the answer is not that
 * of a healthy sandbox, 2 if there is none.
 */
export function healthCommand(): Command {
  return new Command("health")
    .description("check whether a running sandbox is healthy")
    .addOption(idleJsonOption())
    .addOption(urlOption("its address").env(URL_VARIABLE))
    .action(({ url }: { url: string }) => health(url));
}

async function health(given: string): Promise<void> {
  const url = rootOf(addressOf(given));
  const { ok, status, text } = await ask(`${url}/_sandbox/health`).catch((error) => {
    throw new UsageError(
      isOfCertificate(error) ? `The certificate of ${url} is not trusted.` : `Nothing answers at ${url}.`,
    );
  });
  if (!ok) throw new UsageError(`${url} answered ${status}.`, 1);
  if (!saysThatItIsWell(text)) throw new UsageError(`No sandbox answers at ${url}, but something else.`, 1);
  process.stdout.write(`${text}\n`);
}

async function ask(url: string): Promise<{ ok: boolean; status: number; text: string }> {
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  return { ok: response.ok, status: response.status, text: await response.text() };
}

/** Whether `fetch` has failed by a certificate: something answers, and waiting longer does not help. */
function isOfCertificate({ cause }: Error): boolean {
  return certificateCodes.any.test((cause as NodeJS.ErrnoException | undefined)?.code ?? "");
}

/** The status of the answer is not enough: many servers answer any path with a page. */
function saysThatItIsWell(text: string): boolean {
  return (jsonIn(text) as { status?: unknown } | null | undefined)?.status === "ok";
}
