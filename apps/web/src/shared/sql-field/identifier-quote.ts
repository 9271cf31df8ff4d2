/** What a database puts around a name that is no plain word; `backend` as the API has it. */
export const identifierQuote = (backend: string | null | undefined): '"' | '`' =>
  backend === 'mysql' || backend === 'clickhouse' ? '`' : '"'
