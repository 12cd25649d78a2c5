/** The token that a header `Authorization` carries. */

/** What stands after `Bearer`, alone; undefined where there is no such header, or it reads otherwise. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}
