/** TABLE: what every call of the control interface does, for documents; a test checks it against the routes. */

/** Calls of one subject, each as method and path below `_sandbox`. */
interface ControlChapter {
  readonly title: string;
  /** The subject, in one sentence. */
  readonly about: string;
  readonly calls: Readonly<Record<string, string>>;
}

/** TABLE: the chapters, in the order of the page and of the OpenAPI document. */
export const controlChapters: readonly ControlChapter[] = [
  {
    title: "Worlds",
    about: "Making, forking, keeping, restoring and deleting worlds.",
    calls: {
      "GET /": "The world: base URL, clock, seed, settings, scenarios, and accounts with their credentials.",
      "GET /worlds": "All worlds. At the root only.",
      "POST /worlds":
        "Makes a world: `id`, `seed`, `clock` {`mode`, `speed`, `start`}, `settings`, `scenarios` (names or documents), `accounts`, `postback_url`, `ttl` (deleted after that long in real time without a call); or `from` (a world's id, or {`world`, `snapshot`}), or `replay` (a bundle). 201. At the root only.",
      "PUT /":
        "Makes the world of that id (201) from what `POST /worlds` takes, or answers the existing one (200). At `/worlds/{id}/_sandbox` only.",
      "DELETE /worlds/:world": "Deletes a world with everything in it. At the root only.",
      "POST /reset": "Takes the world back to the moment of its creation, clock included.",
      "GET /snapshots": "The snapshots of the world.",
      "POST /snapshots": "Keeps the whole world, timers, journal and clock included, under a `name`.",
      "POST /snapshots/:name/restore": "Takes the world back to a snapshot.",
      "DELETE /snapshots/:name": "Deletes a snapshot.",
      "GET /export": "A bundle: everything that the world's history follows from, to replay it elsewhere.",
      "GET /openapi.json": "The OpenAPI 3.1 document of the calls at this address.",
      "GET /health": 'Whether it serves: `{"status": "ok", "version"}`; needs no token.',
    },
  },
  {
    title: "Clock",
    about:
      "The time of the world, and what is due. What a frozen clock has due at the instant of the call is done before an advance begins, and is not counted in its answer, which would otherwise hang on how fast a receiver answers. An advance, a settling or a change of `now` waits until the one under way has answered; a running clock goes on until an advance begins, and an event that it goes to counts if it comes meanwhile. A receiver that asks for one before it has answered its webhook keeps both waiting until the time-out of webhooks.",
    calls: {
      "GET /clock": "The clock: `mode`, `speed`, `now`, `pending_timers`, `next_timer_at`.",
      "POST /clock": "Changes `mode` (`running`, `frozen`), `speed`, or `now` (forward only).",
      "POST /clock/advance":
        "Runs all that is due on the way, deliveries and retries included, and answers when it is done: `by` a duration, `to` an instant, or `until` `next`, `idle`, an event kind, {`expiry`: id}, {`deadline`: id}, {`quote_expiry`: pair}, each of these with an optional `offset`; `max_timers`.",
      "DELETE /clock/advance":
        "Cancels the advance under way, between two timers; where none is, or it is canceled already, the first that waits for its turn, at once.",
      "POST /clock/settle": "Waits until nothing is due or in flight at the present instant.",
      "GET /timers": "What is pending, in its order.",
    },
  },
  {
    title: "Accounts",
    about: "Merchants, their credentials and limits; blocked addresses and exchange rates.",
    calls: {
      "GET /accounts": "The accounts, with credentials and balances.",
      "POST /accounts": "Opens an account: `username`, `name`, `document`, `email`, `postback_url`, `balances`. 201.",
      "GET /accounts/:username": "One account.",
      "PATCH /accounts/:username":
        "Changes `postback_url`, `status` (`active`, `under_review`), `name`, `document`, `email`.",
      "POST /accounts/:username/credentials": "Issues another credential. 201.",
      "POST /accounts/:username/fund": "Credits `amount` of a `currency` from nowhere.",
      "PATCH /credentials/:client":
        "Changes `postback_url` and `limits` (the items of `GET /v2/account/limits` that differ, in the place of those before).",
      "GET /blocked-ips": "The black list of addresses.",
      "PUT /blocked-ips": "Replaces the black list: `ips`.",
      "GET /rates": "US dollars per unit of each currency, from which every pair follows.",
      "PUT /rates": "Changes the rates that `rates` names.",
    },
  },
  {
    title: "Resources",
    about: "What merchants make, and what payers, banks and networks do to it.",
    calls: {
      "GET /transactions":
        "Cash-ins and cash-outs, oldest first; `?external_id`, `?type`, `?status`, `?currency`, `?username`.",
      "GET /transactions/:id": "All that is known of a transaction: fields, postings, timers, journal entries.",
      "POST /transactions/:id/:action": "Does something to it; see the actions below.",
      "GET /conversions": "Conversions.",
      "GET /conversions/:id": "All that is known of a conversion.",
      "POST /conversions/:id/:action": "Does something to it.",
      "GET /transfers": "Internal transfers, those of splits too.",
      "GET /transfers/:id": "All that is known of a transfer.",
      "POST /transfers/:id/:action": "Refused: nothing can be done to a transfer.",
      "GET /wallets": "Fixed wallets.",
      "GET /wallets/:id": "All that is known of a wallet.",
      "POST /wallets/:id/:action": "Does something to it; a deposit answers with its transaction.",
      "GET /disputes": "Disputes.",
      "GET /disputes/:id": "All that is known of a dispute, with the merchant's reply.",
      "POST /disputes/:id/:action": "Decides it.",
      "GET /disputes/:id/files/:number": "A file of the merchant's reply, as it was sent.",
    },
  },
  {
    title: "What happened",
    about: "Webhooks, calls, journal and ledger, and what follows from them.",
    calls: {
      "GET /webhooks":
        "Webhooks, each with every attempt: request, response, duration, error; `?event`, `?transaction_id`, `?external_id`, `?status`; a page ends early if their bodies are large.",
      "GET /webhooks/:id": "One webhook.",
      "POST /webhooks/:id/redeliver":
        "Makes exactly one attempt now and answers with its outcome; it goes to where the webhook was meant to go when it was made.",
      "GET /inbox": "What the destination `sandbox://inbox` has received.",
      "GET /requests":
        "The calls of `/v2`, secrets masked, with how long a fault held the answer back and what is wrong with them; `?call` (as `POST /v2/transactions/cashin`), `?client_id`; a page ends early if their bodies are large.",
      "GET /requests/:id": "One call of `/v2`.",
      "GET /journal":
        "All that happened, in order; `?kind` (as `transition`), `?subject` (what an entry is about: a transaction, a webhook, an account); a page ends early if its data is large.",
      "GET /journal/stream":
        "The journal live, as server-sent events; resumes after `Last-Event-ID` or `?after`. It ends with the comment `: over` at a reset or a restore, which numbers entries anew, and where the world goes away: an id beyond the new journal then starts from its beginning; if the new journal may already be longer than that, ask for `0`. A comment every 15 s shows that it stands.",
      "GET /ledger": "Postings and balances.",
      "GET /ledger/check": "Whether every invariant of the ledger holds.",
      "GET /explain/:id":
        "Why something is as it is: the chain of causes, each with its rule or call. `{id}` is that of a resource, refund, webhook, request, timer, account or journal entry, or an `external_id`, `e2e_id` or `tx_hash`.",
      "GET /report": "Readiness: how well the merchant's integration did, with evidence and advice.",
      "POST /report/probe":
        "Sends the receiver a duplicate, a webhook from a wrong address and one about an unknown payment, and answers with the report; `username`, `source`.",
      "GET /coverage": "Which endpoints, codes, events and states this world has seen, out of all.",
    },
  },
  {
    title: "Scenarios and faults",
    about: "Rules that play the outside world, and rules that disturb calls and deliveries.",
    calls: {
      "GET /scenarios": "The scenarios of the world: rules with what they matched, expectations with their verdicts.",
      "POST /scenarios":
        "Loads a scenario: YAML (`application/yaml`), a JSON document, or the `name` of a shipped one. 201, or 200 if it replaces one.",
      "GET /scenarios/:name": "One scenario.",
      "DELETE /scenarios/:name": "Removes a scenario.",
      "GET /faults":
        "The fault rules that were set, also those that are over: past `ends_at` or `until`, or as often `fired` as `times` says.",
      "PUT /faults":
        "Replaces all fault rules: `rules`, in the language of scenarios, each with an optional `for`. All count anew, also those that were there before.",
      "POST /faults": "Adds one fault rule after the others, which go on as they are.",
      "DELETE /faults": "Removes all fault rules.",
      "DELETE /faults/:id": "Removes one fault rule; the others go on as they are.",
    },
  },
];
