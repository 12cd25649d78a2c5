/** An answer of the size and shape of that to a charge, for the yardsticks. */
export function answerOf(own: { transaction_id: string; external_id: string; amount: string }) {
  const { transaction_id } = own;
  return {
    success: true,
    data: {
      ...own,
      type: "cashin",
      currency: "BRL",
      currency_type: "fiat",
      fee: "1.50",
      amount_net: "10.84",
      status: "pending",
      source: "dynamic_qr",
      network: "PIX",
      qr_code: `00020126760014br.gov.bcb.pix2554pix.example.com/qr/v2/${transaction_id}520400005303986540512.345802BR6304`,
      expires_at: "2026-01-01T12:30:00.000Z",
      created_at: "2026-01-01T12:00:00.000Z",
    },
    request_id: "req_0mwq90nis0002hr3q7chxo1w",
    timestamp: "2026-01-01T12:00:00.000Z",
  };
}
