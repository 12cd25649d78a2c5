/** An error that the user can correct: the message says all, so that the command line prints no stack with it. */
export class UserError extends Error {}
