import bind, { type LogicalType } from '@duckdb/node-bindings'

const { Type } = bind

const plain: Partial<Record<number, string>> = {
  [Type.BOOLEAN]: 'BOOLEAN',
  [Type.TINYINT]: 'TINYINT',
  [Type.SMALLINT]: 'SMALLINT',
  [Type.INTEGER]: 'INTEGER',
  [Type.BIGINT]: 'BIGINT',
  [Type.UTINYINT]: 'UTINYINT',
  [Type.USMALLINT]: 'USMALLINT',
  [Type.UINTEGER]: 'UINTEGER',
  [Type.UBIGINT]: 'UBIGINT',
  [Type.HUGEINT]: 'HUGEINT',
  [Type.UHUGEINT]: 'UHUGEINT',
  [Type.FLOAT]: 'FLOAT',
  [Type.DOUBLE]: 'DOUBLE',
  [Type.DATE]: 'DATE',
  [Type.TIME]: 'TIME',
  [Type.TIME_NS]: 'TIME_NS',
  [Type.TIME_TZ]: 'TIME WITH TIME ZONE',
  [Type.TIMESTAMP]: 'TIMESTAMP',
  [Type.TIMESTAMP_S]: 'TIMESTAMP_S',
  [Type.TIMESTAMP_MS]: 'TIMESTAMP_MS',
  [Type.TIMESTAMP_NS]: 'TIMESTAMP_NS',
  [Type.TIMESTAMP_TZ]: 'TIMESTAMP WITH TIME ZONE',
  [Type.INTERVAL]: 'INTERVAL',
  [Type.VARCHAR]: 'VARCHAR',
  [Type.BLOB]: 'BLOB',
  [Type.BIT]: 'BIT',
  [Type.UUID]: 'UUID',
  [Type.BIGNUM]: 'BIGNUM',
  [Type.ENUM]: 'ENUM',
  [Type.SQLNULL]: 'NULL',
  [Type.GEOMETRY]: 'GEOMETRY',
  [Type.VARIANT]: 'VARIANT',
}

/** Name of a type as `DESCRIBE` prints it; an ENUM without its values. */
export function formatDuckdbType(type: LogicalType): string {
  const alias = bind.logical_type_get_alias(type)
  if (alias) return alias.toUpperCase()
  const id = bind.get_type_id(type)
  if (id === Type.DECIMAL) return `DECIMAL(${bind.decimal_width(type)},${bind.decimal_scale(type)})`
  if (id === Type.LIST) return `${formatDuckdbType(bind.list_type_child_type(type))}[]`
  if (id === Type.ARRAY)
    return `${formatDuckdbType(bind.array_type_child_type(type))}[${bind.array_type_array_size(type)}]`
  if (id === Type.MAP)
    return `MAP(${formatDuckdbType(bind.map_type_key_type(type))}, ${formatDuckdbType(bind.map_type_value_type(type))})`
  if (id === Type.STRUCT || id === Type.UNION) {
    const isStruct = id === Type.STRUCT
    const count = isStruct ? bind.struct_type_child_count(type) : bind.union_type_member_count(type)
    const fields = Array.from({ length: count }, (_, i) =>
      isStruct
        ? `${bind.struct_type_child_name(type, i)} ${formatDuckdbType(bind.struct_type_child_type(type, i))}`
        : `${bind.union_type_member_name(type, i)} ${formatDuckdbType(bind.union_type_member_type(type, i))}`,
    )
    return `${isStruct ? 'STRUCT' : 'UNION'}(${fields.join(', ')})`
  }
  return plain[id] ?? 'UNKNOWN'
}
