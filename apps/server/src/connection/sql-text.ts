import type { Engine } from '@parquetry/engines'

/** Words that must be quoted as names in the supported engines. */
const reserved = new Set(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create current_date
  current_role current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for
  foreign from grant group having in initially intersect into lateral leading limit localtime localtimestamp not null offset on
  only or order placing primary references returning select session_user some symmetric table then to trailing true union
  unique user using variadic when where window with`.split(/\s+/),
)

/** Writes a name as users would: quoted only when the engine needs it. */
const readableName = ({ dialect }: Engine, name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : dialect.quote(name)

const tableName = (engine: Engine, schema: string | null, table: string): string =>
  (schema ? [schema, table] : [table]).map((part) => readableName(engine, part)).join('.')

/**
 * Returns SQL that shows a table, as a starting point for users.
 * @param columns  names to list, one per line; null for `*`
 */
export function selectStar(
  engine: Engine,
  schema: string | null,
  table: string,
  columns: readonly string[] | null,
): string {
  const selected = columns?.length ? columns.map((name) => readableName(engine, name)).join(',\n       ') : '*'
  return `SELECT ${selected}\nFROM ${tableName(engine, schema, table)}\nLIMIT 100`
}
