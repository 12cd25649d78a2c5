/** The token that a header `Authorization` carries. */

/** The single token after `Bearer`; undefined if the header is missing or has another form. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}
