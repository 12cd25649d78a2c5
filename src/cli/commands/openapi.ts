import { Command } from "commander";
import { rootOf } from "../../domain/web-address.ts";
import { packageVersion } from "../../package-version.ts";
import { addressOf, urlOption } from "../address.ts";
import { idleJsonOption } from "../option-values.ts";
import { jsonLines } from "../terminal.ts";

/** `payments-sandbox openapi`: the OpenAPI documents of the service and of the control interface. */
export function openapiCommand(): Command {
  return new Command("openapi")
    .description("print the OpenAPI 3.1 document of the service, or of the control interface")
    .option("--control", "the control interface; with a world's address, only its calls")
    .addOption(idleJsonOption())
    .addOption(urlOption("the server address in the document"))
    .action(async ({ url, control = false }: { url: string; control?: boolean }) => {
      const options = { version: packageVersion(), baseUrl: addressOf(url) };
      const document = await (control ? controlAt(options) : serviceAt(options));
      process.stdout.write(jsonLines(document));
    });
}

interface DocumentOptions {
  readonly version: string;
  readonly baseUrl: string;
}

async function serviceAt(options: DocumentOptions): Promise<object> {
  const { openApiDocument } = await import("../../http/document/service-document.ts");
  return openApiDocument(options);
}

async function controlAt(options: DocumentOptions): Promise<object> {
  const { controlDocument } = await import("../../control/document/control-document.ts");
  return controlDocument({ ...options, isRoot: rootOf(options.baseUrl) === options.baseUrl });
}
