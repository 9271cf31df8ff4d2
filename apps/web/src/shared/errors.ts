/** The sentence of any failure, for a toast or a panel. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
