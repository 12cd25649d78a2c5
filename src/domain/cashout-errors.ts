/** TABLE: values of `error_code` in `cashout.failed`, each with its default message. */
export const cashoutErrors = {
  TRON_ENERGY_FAIL: "Hot wallet lacks energy or bandwidth to broadcast.",
  INSUFFICIENT_BALANCE: "Hot wallet lacks on-chain balance.",
  NO_HOT_WALLET: "No hot wallet available for the chain.",
  INVALID_ADDRESS: "Destination address invalid (checksum or format).",
  BLACKLISTED: "Destination address blacklisted (sanctions or AML).",
  BLOCKCHAIN_REVERT: "Transaction reverted in the block.",
  BROADCAST_FAIL: "Sending the transaction to the network failed.",
  PIX_KEY_NOT_FOUND: "PIX key not found in the central directory.",
  PROVIDER_TIMEOUT: "PIX or SPEI provider timed out.",
  UNKNOWN: "Uncategorized error.",
} as const;

/** The codes in the order of the specification. */
export const cashoutErrorCodes = Object.keys(cashoutErrors) as (keyof typeof cashoutErrors)[];
