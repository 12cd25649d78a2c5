/** `payments-sandbox health`: what a container's health check calls. */
import { Command } from "commander";
import { UsageError } from "./usage-error.ts";

export function healthCommand(): Command {
  return new Command("health")
    .description("ask a running sandbox whether it is well")
    .option("--url <url>", "its address", `http://127.0.0.1:${process.env.PAYMENTS_SANDBOX_PORT ?? "4400"}`)
    .action(({ url }: { url: string }) => health(url));
}

async function health(url: string): Promise<void> {
  const { request } = await import("undici");
  try {
    const { statusCode, body } = await request(`${url}/_sandbox/health`, { headersTimeout: 5_000, bodyTimeout: 5_000 });
    const text = await body.text();
    if (statusCode !== 200) throw new UsageError(`${url} answered ${statusCode}.`, 1);
    process.stdout.write(`${text}\n`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Nothing answers at ${url}.`);
  }
}
