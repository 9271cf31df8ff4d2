/** Returns the initial schema of a database: `public` or `main`, else the first. */
export const defaultSchema = (schemas: readonly string[] | undefined): string | null =>
  schemas?.find((name) => name === 'public' || name === 'main') ?? schemas?.[0] ?? null
