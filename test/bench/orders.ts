/** The side of a program that is started once and then does what it is told, as often as it is told. */

/** What goes back for an order. */
export type Reply<Result> = { readonly result: Result } | { readonly error: string };

/** Does every order that comes from the program that started this one, which its end ends. */
export function takeOrders<Order>(work: (order: Order) => Promise<unknown>): void {
  process.on("disconnect", () => process.exit());
  process.on("message", (order: Order) => {
    work(order).then(
      (result) => process.send?.({ result } satisfies Reply<unknown>),
      (error) => process.send?.({ error: String(error) } satisfies Reply<unknown>),
    );
  });
}
