/** TABLE: the examples of `docs/scenario-language.md`; a test plays each, and requires that all of its rules act. */
export const languageExamples = {
  file: `scenario: bought-and-returned
description: The customer pays, and gets part of the money back two days later.
rules:
  - name: the customer pays, and returns one of two items
    on: cashin.created
    then:
      - { after: 5s, pay: {} }
      - { after: 2d, refund: { amount: "20.00", reason: One item was returned } }
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 50, external_id: order-1 }
    save: charge
expect:
  - event: cashin.refunded
    where: { external_id: order-1, amount_refunded: "20.00" }
  - transaction: "\${charge.transaction_id}"
    where: { status: refunded }`,

  world: `scenario: a-world-of-its-own
with: [happy-path]                          # what no rule of this file takes goes as it does there
settings: { unanswered_dispute: open }
seed: 7
clock: { start: "2026-03-02T12:00:00Z" }
accounts:
  - { username: shop, postback_url: "sandbox://inbox", balances: { BRL: "500.00" } }
  - { username: supplier }
for: 1d
merchant:
  - call: POST /v2/internal_transfers/payment
    body: { amount: 120, currency: BRL, username: supplier, external_id: invoice-7 }
expect:
  - event: transfer.confirmed
  - balance: { BRL: { lt: "500.00" } }
  - balance: { BRL: "120.00" }
    of: supplier`,

  precedence: `scenario: who-steers
with: [happy-path]
rules:
  - name: the first charge is canceled
    on: cashin.created
    where: { currency: BRL }
    times: 1
    then:
      - { after: 1s, cancel: {} }
  - name: the second one fails, since the rule above is spent
    on: cashin.created
    where: { currency: BRL }
    times: 1
    then:
      - { after: 1s, fail: {} }
  - name: each is written down, whoever steers
    on: cashin.created
    also: true
    then:
      - { note: another order }
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 30, external_id: "order-\${index}" }
    repeat: 3
expect:
  - { transaction: { external_id: order-1, status: canceled } }
  - { transaction: { external_id: order-2, status: failed } }
  - { name: "the third falls to happy-path", transaction: { external_id: order-3, status: confirmed } }`,

  filters: `scenario: which-of-them
rules:
  - name: the third and fourth order of the first hour are not paid
    on: cashin.created
    until: +1h
    skip: 2
    times: 2
    then:
      - { cancel: {} }
  - name: of those after the first hour, about half are
    on: cashin.created
    from: +1h
    chance: 50%
    then:
      - { pay: {} }
  - name: all others are
    on: cashin.created
    until: +1h
    then:
      - { pay: {} }
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 30 }
    repeat: 5
  - advance: 1h
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 40 }
    repeat: 20
expect:
  - { event: cashin.confirmed, where: { amount: 30 }, count: 3 }
  - { event: cashin.confirmed, where: { amount: 40 }, count: { gte: 5, lte: 15 } }`,

  where: `scenario: conditions
rules:
  - name: large sums in reais, but those of the house
    on: cashin.created
    where:
      currency: BRL
      amount: { gte: 100, lt: "1000.00" }
      external_id: { not: "house-*" }
    then:
      - { after: 5s, pay: { payer: { name: Maria Silva } } }
  - name: any stable coin on a chain, from an order of the web shop
    on: cashin.created
    where:
      currency: { in: [USDT, USDC] }
      chain: { not: null }
      external_id: "web-*"
    then:
      - { at: confirmations, pay: {} }
  - name: what Maria paid comes back
    on: cashin.confirmed
    where: { payer.name: "Maria *" }
    then:
      - { after: 1h, refund: {} }
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 150, external_id: order-1 }
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 150, external_id: house-1 }
  - call: POST /v2/transactions/cashin
    body: { currency: USDT, chain: tron, amount: 20, external_id: web-1 }
expect:
  - { transaction: { external_id: order-1, status: refunded } }
  - { transaction: { external_id: house-1, status: expired } }
  - { transaction: { external_id: web-1, status: confirmed } }`,

  moments: `scenario: moments
rules:
  - name: paid in the last second, and disputed
    on: cashin.created
    where: { external_id: late }
    then:
      - { after: 29m59s, pay: {} }
      - { at: "2026-01-05T09:00:00Z", dispute: { reason: Not received } }
  - name: paid at the very instant of expiry, just before the service lets it expire
    on: cashin.created
    where: { external_id: at-once }
    then:
      - { at: expiry, pay: {} }
  - name: a second too late, which is skipped
    on: cashin.created
    where: { external_id: too-late }
    then:
      - { at: expiry, note: the charge expires }
      - { after: 1s, pay: {} }
  - name: the block chain takes its time
    on: cashin.created
    where: { currency: USDT }
    then:
      - { at: confirmations, pay: { amount: "9.5" } }
  - name: decided for the merchant at the deadline, without a reply
    on: chargeback.opened
    then:
      - { at: deadline, win: {} }
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 10, external_id: late }
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 10, external_id: at-once }
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 10, external_id: too-late }
  - call: POST /v2/transactions/cashin
    body: { currency: USDT, chain: tron, amount: 10, external_id: coins }
expect:
  - { transaction: { external_id: at-once, status: confirmed, confirmed_at: "2026-01-01T12:30:00.000Z" } }
  - { transaction: { external_id: too-late, status: expired } }
  - { transaction: { external_id: coins, amount: "9.500000", confirmed_at: "2026-01-01T12:01:00.000Z" } }
  - event: chargeback.won`,

  actions: `scenario: who-is-acted-on
rules:
  - name: the charge is paid
    on: cashin.created
    then:
      - { pay: { payer: { name: Maria Silva } } }
  - name: a large cash-out is refused, and the account looked at
    on: cashout.created
    where: { amount: { gt: 100 } }
    then:
      - { after: 2s, fail: { error_code: PROVIDER_TIMEOUT } }
      - { set_account: { status: under_review } }              # that of the cash-out
      - { after: 1d, set_account: { status: active } }
  - name: any other settles, and the payer of the first order wants the money back
    on: cashout.created
    then:
      - { after: 2s, confirm: {} }
      - { after: 1h, dispute: { transaction: order-1 } }       # named: it is not the cash-out that is disputed
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 30, external_id: order-1 }
  - call: POST /v2/transactions/cashout
    body: { currency: BRL, amount: 200, key: maria@example.com, external_id: payout-1 }
  - advance: 1h
  - call: POST /v2/transactions/cashout
    body: { currency: BRL, amount: 20, key: maria@example.com, external_id: payout-2 }
    expect: { error: SECURITY_BLOCKED }
  - advance: 1d
  - call: POST /v2/transactions/cashout
    body: { currency: BRL, amount: 20, key: maria@example.com, external_id: payout-3 }
expect:
  - { event: cashout.failed, where: { error_code: PROVIDER_TIMEOUT } }
  - { event: chargeback.opened, where: { amount: 30 } }`,

  clock: `scenario: a-working-week
clock: { start: "2026-03-02T12:00:00Z" }    # a Monday, nine o'clock in São Paulo
rules:
  - name: a standing order on business days
    every: "0 10 * * MON-FRI"
    timezone: America/Sao_Paulo
    then:
      - { deposit: { wallet: BRL, amount: "100.00", payer: { name: Maria Silva } } }
  - name: the real gains a quarter
    at: +10m
    then:
      - set_rate: { BRL: "0.25" }
      - { after: 1h, set_rate: { BRL: "0.2" } }
  - name: an office is shut out overnight
    at: "2026-03-02T20:00:00Z"
    then:
      - { block_ip: 203.0.113.7 }
      - { after: 12h, unblock_ip: 203.0.113.7 }
for: 5d
merchant:
  - call: POST /v2/transactions/wallet
    body: { currency: BRL }
  - advance: 10m
  - call: POST /v2/conversions/rate
    body: { amount: 1000, base_currency: BRL, destination_currency: USDT }
    expect: { data: { rate: "0.25" } }
expect:
  - { event: wallet_deposit, count: 5 }`,

  requests: `scenario: a-bad-line
with: [happy-path]
rules:
  - name: the provider is down for two calls
    request: POST /v2/transactions/cashout
    inject: { error: PROVIDER_ERROR }
    times: 2
  - name: then the answer is lost, though the money is on its way
    request: POST /v2/transactions/cashout
    inject: { disconnect: after }
    times: 1
  - name: ten minutes later the lists of everybody but globex fail for a quarter of an hour
    at: +10m
    then:
      - fault:
          request: "* /v2/account/*"
          where: { username: { not: globex } }
          inject: { status: 503 }
          for: 15m
merchant:
  - call: POST /v2/transactions/cashout
    body: { currency: BRL, amount: 25, key: maria@example.com, external_id: payout-1 }
    expect: { status: 502, error: PROVIDER_ERROR }
    repeat: 2
  - call: POST /v2/transactions/cashout
    body: { currency: BRL, amount: 25, key: maria@example.com, external_id: payout-1 }
    expect: { status: lost }
  - name: the same body again gives the payout that there is
    call: POST /v2/transactions/cashout
    body: { currency: BRL, amount: 25, key: maria@example.com, external_id: payout-1 }
  - advance: 10m
  - call: GET /v2/account/balance?currency=BRL
    expect: { status: 503 }
  - call: GET /v2/account/balance?currency=BRL
    as: globex
  - advance: 15m
  - call: GET /v2/account/balance?currency=BRL
expect:
  - { event: cashout.confirmed, count: 1 }`,

  deliveries: `scenario: a-bad-post
with: [happy-path]
rules:
  - name: the first confirmation comes three times
    delivery: cashin.confirmed
    inject: { duplicate: 2 }
    times: 1
  - name: the second is late
    delivery: cashin.confirmed
    inject: { delay: 40s }
    times: 1
  - name: that of order 3 never comes
    delivery: cashin.*
    where: { external_id: order-3 }
    inject: { drop: true }
  - name: the next is tried from a wrong address first
    delivery: cashin.confirmed
    inject: { source: 127.0.0.66 }
    times: 1
  - name: two are held, and come in any order
    delivery: "*"
    inject: { shuffle: 2 }
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 50, external_id: "order-\${index}" }
    repeat: 6
expect:
  - { event: cashin.confirmed, count: 6 }                      # all of them happened
  - { webhook: cashin.confirmed, status: dropped, where: { external_id: order-3 } }
  - { webhook: cashin.*, status: delivered, count: 5 }`,

  merchant: `scenario: a-merchant
rules:
  - on: cashin.created
    then:
      - { after: 5s, pay: {} }
      - { after: 1d, dispute: {} }
merchant:
  - note: an order, its payment, and the dispute that comes of it
  - name: a charge
    call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: "\${index}5.00", external_id: "order-\${index}" }
    repeat: 3
    expect: { status: 200, data: { status: pending, amount: { gt: 10 } } }
    save: last                              # of several calls the last
  - advance: chargeback.opened
  - call: GET /v2/account/infractions?status=open
    expect: { data: { items.0.status: open } }
    save: disputes
  - call: POST /v2/account/infractions/reply
    form:
      infraction_id: \${disputes.items[0].infraction_id}
      text: It was delivered, see the receipt.
      files: [{ name: receipt.pdf, type: application/pdf, size: 9000 }]
  - advance: 2h
  - name: globex has no dispute of that id
    call: POST /v2/account/infractions/reply
    as: globex
    form: { infraction_id: "\${disputes.items[0].infraction_id}", text: Mine. }
    expect: { error: NOT_FOUND }
  - advance: "2026-01-20T00:00:00Z"
expect:
  - { transaction: "\${last.transaction_id}", where: { external_id: order-3 } }`,

  expectations: `scenario: what-comes-of-it
with: [happy-path]
rules:
  - on: cashin.confirmed
    where: { external_id: order-1 }
    then:
      - { after: 1d, dispute: { reason: Not received } }
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 100, external_id: "order-\${index}" }
    repeat: 2
    save: charge
expect:
  - { event: cashin.confirmed, where: { external_id: order-2 }, count: 1, within: 5s }
  - { no_event: cashin.expired }
  - { no_event: chargeback.opened, within: 1d }
  - name: nobody replied, and the dispute is lost
    dispute: { reason: Not received, status: lost }
    count: 1
  - { transaction: "\${charge.transaction_id}", where: { status: confirmed } }
  - { webhook: chargeback.*, status: delivered, where: { attempts: 1 }, count: { gte: 2 } }
  - balance: { BRL: { gt: "10000.00" }, USDT: "10000.000000" }
    of: acme`,
} as const;
