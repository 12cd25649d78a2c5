/** The cells of a row. */
import type { ComponentChildren } from "preact";
import { amountText, moneyText } from "../words/amounts.ts";
import { visible } from "../words/visible.ts";

/** A text is shown with its invisible characters. @param only `wide`: left out where the page is narrow. */
export function Cell({ children, kind = "", only }: { children?: ComponentChildren; kind?: string; only?: "wide" }) {
  return (
    <span role="gridcell" class={`cell ${kind} ${only ? "only-wide" : ""}`}>
      {typeof children === "string" ? visible(children) : children}
    </span>
  );
}

/** A shortened id: its end, which differs between ids made at the same time. */
export function ShortId({ id }: { id: string }) {
  return (
    <code class="short-id" title={id}>
      {id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id}
    </code>
  );
}

/** An amount with its currency in a weaker colour; the title has what the column cuts off. */
export function Amount({ of, currency }: { of: unknown; currency: string }) {
  return (
    <span title={moneyText(of, currency)}>
      {amountText(of)} <span class="muted">{currency}</span>
    </span>
  );
}
