/** Returns the quote character that a database uses for names; `backend` as in the API. */
export const identifierQuote = (backend: string | null | undefined): '"' | '`' =>
  backend === 'mysql' || backend === 'clickhouse' ? '`' : '"'
