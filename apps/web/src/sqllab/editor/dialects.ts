import { MySQL, PostgreSQL, SQLDialect, SQLite, StandardSQL } from '@codemirror/lang-sql'

export interface Dialect {
  /** Name of the engine, which selects the lexer rules of `lex`. */
  name: string
  language: SQLDialect
  /** Quote character for names that are not plain words. */
  nameQuote: '"' | '`'
}

const standard = StandardSQL.spec

const duckdb = SQLDialect.define({
  ...PostgreSQL.spec,
  keywords: `${PostgreSQL.spec.keywords ?? ''} anti asof attach columns describe detach exclude install macro pivot positional pragma qualify sample semi summarize unpivot`,
  types: `${PostgreSQL.spec.types ?? ''} hugeint list map struct tinyint ubigint uhugeint uinteger union usmallint utinyint`,
  doubleDollarQuotedStrings: true,
})

const trino = SQLDialect.define({
  ...standard,
  keywords: `${standard.keywords ?? ''} array catalogs columns describe explain functions ilike lateral match_recognize offset qualify row rows schemas session show stats tables tablesample unnest uescape`,
  types: `${standard.types ?? ''} array bigint boolean date decimal double hyperloglog ipaddress json map qdigest real row smallint tdigest time timestamp tinyint uuid varbinary varchar`,
  doubleQuotedStrings: false,
})

const clickhouse = SQLDialect.define({
  ...standard,
  keywords: `${standard.keywords ?? ''} any anti array asof attach describe detach distributed engine explain fill final format global ilike into join limit materialize materialized offset optimize outfile prewhere sample semi settings show system ttl using with`,
  types: `${standard.types ?? ''} Array Bool Date Date32 DateTime DateTime64 Decimal Enum8 Enum16 FixedString Float32 Float64 IPv4 IPv6 Int8 Int16 Int32 Int64 Int128 Int256 JSON LowCardinality Map Nested Nullable String Tuple UInt8 UInt16 UInt32 UInt64 UInt128 UInt256 UUID`,
  identifierQuotes: '`"',
  backslashEscapes: true,
  doubleQuotedStrings: false,
})

const dialects: Readonly<Record<string, Dialect>> = {
  postgresql: { name: 'postgresql', language: PostgreSQL, nameQuote: '"' },
  duckdb: { name: 'duckdb', language: duckdb, nameQuote: '"' },
  mysql: { name: 'mysql', language: MySQL, nameQuote: '`' },
  sqlite: { name: 'sqlite', language: SQLite, nameQuote: '"' },
  trino: { name: 'trino', language: trino, nameQuote: '"' },
  clickhouse: { name: 'clickhouse', language: clickhouse, nameQuote: '`' },
}

const unknown: Dialect = { name: '', language: StandardSQL, nameQuote: '"' }

/** Returns the SQL dialect of the database `backend` of the API; standard SQL when unknown. */
export const dialectOf = (backend: string | null): Dialect => dialects[backend ?? ''] ?? unknown

const usual = new Set(
  'select from where group by order having limit offset join left right full inner cross outer on using as with union all distinct case when then else end and or not in is null like ilike between exists cast asc desc over partition interval true false insert into values update set delete create table view drop explain'.split(
    ' ',
  ),
)

const listed = new WeakMap<SQLDialect, { word: string; isUsual: boolean }[]>()

/** Uppercase keywords of a dialect. */
export function listKeywords({ language }: Dialect): readonly { word: string; isUsual: boolean }[] {
  let keywords = listed.get(language)
  if (!keywords) {
    const all = new Set([...usual, ...(language.spec.keywords ?? standard.keywords ?? '').split(/\s+/)])
    keywords = [...all].filter(Boolean).map((keyword) => ({ word: keyword.toUpperCase(), isUsual: usual.has(keyword) }))
    listed.set(language, keywords)
  }
  return keywords
}

const bare = /^[a-z_][a-z0-9_]*$/

/** Quotes a name unless it is a plain word, lowercase where the engine folds case, and not a common keyword. */
export function quoteName(name: string, { nameQuote, language }: Dialect): string {
  const isWord =
    nameQuote === '`' || language === SQLite || language === duckdb ? bare.test(name.toLowerCase()) : bare.test(name)
  return isWord && !usual.has(name.toLowerCase())
    ? name
    : nameQuote + name.replaceAll(nameQuote, nameQuote + nameQuote) + nameQuote
}
