/** `payments-sandbox openapi`: the OpenAPI document of the service. */
import { Command } from "commander";
import { packageVersion } from "../package-version.ts";
import { UsageError } from "./usage-error.ts";

export function openapiCommand(): Command {
  return new Command("openapi")
    .description("print the OpenAPI 3.1 document of the service")
    .option("--json", "JSON, which is what it prints anyway")
    .option(
      "--url <url>",
      "the address that it names",
      `http://127.0.0.1:${process.env.PAYMENTS_SANDBOX_PORT ?? "4400"}`,
    )
    .action(async ({ url }: { url: string }) => {
      if (!URL.canParse(url)) throw new UsageError(`${JSON.stringify(url)} is no URL.`);
      const { openApiDocument } = await import("../http/openapi-document.ts");
      const document = openApiDocument({ version: packageVersion(), baseUrl: url.replace(/(?<!\/)\/+$/, "") });
      process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    });
}
