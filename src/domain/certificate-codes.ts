/** TABLE: the codes of Node's errors about a certificate, in the order in which they are looked through. */
export const certificateCodes = {
  expired: /^CERT_HAS_EXPIRED$/,
  ofOtherHost: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
  /** Any of them: what is neither of those above is not trusted. */
  any: /CERT|^UNABLE_TO/,
} as const;
