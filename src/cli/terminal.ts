/** What the terminal of a command can show. */

/** Colours are for terminals whose user has nothing against them. */
export function terminal(): { colours: boolean } {
  return { colours: process.stdout.isTTY === true && !process.env.NO_COLOR };
}
