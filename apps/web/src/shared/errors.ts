/** Returns the message of any error, for a toast or a panel. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
