import { message } from '@parquetry/model/message'
import { TemplateError } from './errors.ts'
import { UntrustedValue, type Macro } from './macro.ts'
import type { TemplateValue } from './values.ts'

/** Partitions of a table as reported by the engine. */
export interface Partition {
  /** Partition columns; empty for a table without partitions. */
  cols: readonly string[]
  /** Values of the latest partition as text by column, without nulls. */
  latest: Readonly<Record<string, string>>
}

/**
 * Partition macros of the API, under each of the group names: `latest_partition`, `first_latest_partition` (the same),
 * `latest_partitions` (a list) and `latest_sub_partition`. Values come from the data, so they are escaped like those of viewers.
 * @param ask  returns the latest partition of a table with the given values; fails when the user may not read the table
 */
export function buildPartitionMacros(
  groups: readonly string[],
  ask: (table: string, of: Record<string, string>) => Promise<Partition>,
): Record<string, Macro> {
  const macros: Record<string, Macro> = {
    latest_partitions: { call: async (args, named) => new UntrustedValue(await latest(args, named)) },
    latest_sub_partition: { call: async (args, named) => new UntrustedValue(await latestSub(args, named)) },
  }
  const first: Macro = { call: async (args, named) => new UntrustedValue((await latest(args, named))[0] ?? null) }
  macros['latest_partition'] = first
  macros['first_latest_partition'] = first

  async function latest(args: TemplateValue[], named: Named): Promise<string[]> {
    const table = readTableName(args, named)
    const { cols, latest: values } = await partitionOf(table, {})
    if (cols.length > 1)
      throw new TemplateError(
        message(
          'errors.templates.severalPartitions',
          '{table} is partitioned by {columns}. latest_partition supports only one partition column. Use latest_sub_partition instead.',
          { table, columns: cols.join(', ') },
        ),
      )
    return cols.flatMap((name) => values[name] ?? [])
  }

  async function latestSub(args: TemplateValue[], { table_name, ...of }: Named): Promise<string> {
    const table = readTableName(args, { ...(table_name !== undefined && { table_name }) })
    const known = Object.fromEntries(Object.entries(of).map(([name, value]) => [name, readText(name, value)]))
    const { cols, latest: values } = await partitionOf(table, known)
    const odd = Object.keys(known).find((name) => !cols.includes(name))
    if (odd !== undefined)
      throw new TemplateError(
        message('errors.templates.partitionKey', 'Field [{field}] is not part of the partitioning key of {table}.', {
          field: odd,
          table,
        }),
      )
    const [missing, more] = cols.filter((name) => !Object.hasOwn(known, name))
    if (missing === undefined || more !== undefined)
      throw new TemplateError(
        message(
          'errors.templates.partitionFilters',
          'A filter needs to be specified for {needed} out of the {all} fields: {columns}.',
          { needed: cols.length - 1, all: cols.length, columns: cols.join(', ') },
        ),
      )
    return values[missing] ?? ''
  }

  async function partitionOf(table: string, of: Record<string, string>): Promise<Partition> {
    const found = await ask(table, of)
    if (found.cols.length === 0)
      throw new TemplateError(
        message(
          'errors.templates.noPartition',
          'Error getting partition for {table}. Verify that this table has a partition.',
          { table },
        ),
      )
    return found
  }
  return Object.fromEntries(
    groups.flatMap((group) => Object.entries(macros).map(([name, macro]) => [`${group}.${name}`, macro])),
  )
}

type Named = Record<string, TemplateValue>

function readTableName([first]: TemplateValue[], { table_name = first }: Named): string {
  if (typeof table_name !== 'string' || table_name === '')
    throw new TemplateError(message('errors.templates.notString', '{name} must be a string', { name: 'table_name' }))
  return table_name
}

function readText(name: string, value: TemplateValue): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new TemplateError(
    message('errors.templates.notPlain', '{name} must be a string, a number, or a boolean', { name }),
  )
}
