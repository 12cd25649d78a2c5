import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { Json } from "../parts/code.tsx";
import { Copyable } from "../parts/copy.tsx";
import { Fields } from "../parts/detail.tsx";
import { PlainView } from "../parts/plain-view.tsx";

/** What this world was made with. */
export function Settings() {
  const { info, control } = useSession();
  const world = useSignal(info);
  if (!world) return null;
  const { fixtures, ...settings } = world.settings;
  const base = `${location.origin}${control.base}`;
  return (
    <PlainView title="Settings">
      <div class="cards">
        <article class="card" aria-label="World">
          <Fields
            fields={[
              ["World", world.world],
              ["Base URL", <Copyable key="base" text={base} what="base URL" />],
              ["Seed", world.seed],
              ["OpenAPI", <a key="openapi" href={`${control.base}/openapi.json`}>{`${base}/openapi.json`}</a>],
            ]}
          />
        </article>
        <article class="card" aria-label="Readings of the specification">
          <h2>Readings of the specification</h2>
          <SettingTable settings={settings} />
        </article>
        {Object.keys((fixtures as object | undefined) ?? {}).length > 0 && (
          <article class="card" aria-label="Replaced data">
            <h2>Replaced data</h2>
            <Json value={fixtures} what="fixtures" />
          </article>
        )}
      </div>
    </PlainView>
  );
}

function SettingTable({ settings }: { settings: Readonly<Record<string, unknown>> }) {
  return (
    <table>
      <tbody>
        {Object.entries(settings).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{typeof value === "object" ? JSON.stringify(value) : String(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
