/** Engines, by the API's `backend`, whose filters may be regular expressions; the same as the dialects that have `regex`. */
const regexEngines = new Set(['duckdb', 'postgresql', 'mysql', 'clickhouse', 'trino'])

export const hasRegex = (backend: string | null | undefined): boolean => regexEngines.has(backend ?? '')
