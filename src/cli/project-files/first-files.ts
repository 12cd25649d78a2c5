/** What `init` writes besides the files for CI: a first scenario, and the settings. */
import { type Settings, settingNotes, settingsSchema, settingValues } from "../../domain/settings.ts";

/** The name of the settings file. */
export const SETTINGS_FILE = "payments-sandbox.settings.yaml";

/** A scenario that passes. @param schema path of the JSON Schema, relative to the file, for editors. */
export function starterScenario(schema: string): string {
  return `# yaml-language-server: $schema=${schema}
scenario: starter
description: A PIX charge is paid after five seconds, and the merchant is told.
rules:
  - name: the payer takes five seconds
    on: cashin.created
    where: { currency: BRL, external_id: "order-*" }
    then:
      - { after: 5s, pay: { payer: { name: Maria Silva } } }

# What your program does; "payments-sandbox run" plays it.
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 150, external_id: order-1 }
    expect: { data: { status: pending } }
    save: charge
  - advance: 5s

expect:
  - event: cashin.confirmed
    where: { transaction_id: "\${charge.transaction_id}", amount: "150.00" }
  - webhook: cashin.confirmed
    status: delivered
  - balance: { BRL: { gt: "10000.00" } }
`;
}

/** Every setting with its default, commented out. @param name the file's name. */
export function settingsFile(name: string): string {
  const defaults = settingsSchema.parse({});
  const entries = (Object.keys(settingNotes) as (keyof Settings)[]).map((setting) => {
    const others = settingValues(setting).filter((other) => other !== String(defaults[setting]));
    const value = JSON.stringify(defaults[setting]).replaceAll('"', "");
    return `# ${settingNotes[setting]}\n#${setting}: ${value}${others.length > 0 ? `  # or ${others.join(", ")}` : ""}\n`;
  });
  return `# Settings of the sandbox: npx payments-sandbox --settings ${name}
# Each has its default; what is to differ loses the # before its name.

${entries.join("\n")}`;
}
