import { type DecisionChapter, decide } from "./decision.ts";

/** TABLE: decisions on webhooks. */
export const webhookDecisions: DecisionChapter = {
  title: "Webhooks",
  decisions: [
    decide(
      "D60",
      "From when the delays of retries count",
      `From the attempt before (\`previous\`), or from the first one (\`first\`).`,
      "retry_base",
    ),
    decide(
      "D61",
      "What the 100 per minute count",
      `Every outgoing request of the credential's integration, retries too. One too many is put back by 120 s, order
      kept.`,
      "webhook_rate",
    ),
    decide(
      "D62",
      "`X-Webhook-Id` and the body over retries",
      `The same, byte for byte; \`X-Webhook-Timestamp\` is the time of the attempt. A re-delivery by hand keeps the id
      too.`,
    ),
    decide(
      "D63",
      "Receivers with http or a self-signed certificate",
      `Refused, as the specification says, with \`strict\`. With \`local\` plain http is let through to loopback, private
      addresses, \`localhost\`, \`*.localhost\`, \`*.internal\`, \`host.docker.internal\`, \`host.containers.internal\` and
      container names of one label, since a sandbox is run beside its merchant: the one deliberate departure from the
      specification; https needs a certificate that the machine trusts, there too. \`any\` lets plain http and
      self-signed certificates through everywhere. \`sandbox://inbox\` is always allowed. A refused URL is
      \`INVALID_REQUEST\` on the transaction; for a credential the control interface refuses it. Redirects are not
      followed: a 3xx is a failure.`,
      "webhook_targets",
    ),
    decide(
      "D64",
      "Source addresses",
      `The machine's own unless given by \`--webhook-source-ipv4\` and \`--webhook-source-ipv6\`: then attempts and probes
      leave from there.`,
    ),
    decide(
      "D65",
      "No `postback_url` at all",
      `The event is kept, shown, and marked \`undeliverable\`; it can be delivered later by hand.`,
    ),
    decide(
      "D66",
      "Envelope of `wallet_deposit`",
      `The flat body alone; headers as for every event, \`X-Webhook-Event\` \`wallet_deposit\`.`,
    ),
    decide(
      "D67",
      "Fields for crypto, SPEI and static deposits",
      `\`cashin.confirmed\`: crypto has chain, tx_hash, confirmations right after network, and neither e2e_id nor payer;
      SPEI has the clave de rastreo in e2e_id; a BRL or MXN deposit into a fixed wallet has payer null (a payer given to
      the control action is kept for QA, never sent). \`cashout.confirmed\`: hash is the transaction hash, the PIX
      end-to-end id, or the clave de rastreo; receiver only for PIX and SPEI, left out for crypto. In answers \`chain\`
      is there for crypto only.`,
    ),
  ],
};
