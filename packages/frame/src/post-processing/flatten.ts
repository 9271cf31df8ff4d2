import type { Options } from './options.ts'
import { invalidStep } from './refusal.ts'
import { message } from '@parquetry/model/message'
import { toPlainText } from '@parquetry/model/plain-text'
import { escapeSeparator, separator } from './separator.ts'
import type { Table } from './table.ts'

/**
 * `flatten`: joins the levels of a label with `, ` (commas inside a part are escaped until the last step) and turns the index
 * back into columns, before the others.
 */
export function flatten(table: Table, options: Options): Table {
  const dropped = resolveLevels(options.raw('drop_levels') ?? [], table)
  const reset = options.flag('reset_index') ?? true
  const columns =
    table.levels.length === 1
      ? table.columns
      : table.columns.map(({ label, data }) => ({
          label: [
            label
              .filter((part, level): part is string => part !== null && !dropped.has(level))
              .map(escapeSeparator)
              .join(separator),
          ],
          data,
        }))
  const { index } = table
  if (!index || !reset) return { ...table, columns, levels: [null] }
  // An unnamed index, left by a sort or a selection of rows, contains no data.
  const named = index.names.flatMap((name, at) => (name === null ? [] : [{ label: [name], data: index.columns[at]! }]))
  return { ...table, columns: [...named, ...columns], levels: [null], index: null }
}

/** Levels by index or by name. @throws AppError when there is no such level, or none would be left */
function resolveLevels(given: unknown, { levels }: Table): Set<number> {
  const list = Array.isArray(given) ? given : [given]
  const levelIndexes = list.map((level: unknown) => {
    const levelIndex =
      typeof level === 'number' ? (level < 0 ? level + levels.length : level) : levels.indexOf(level as string)
    if (!Number.isInteger(levelIndex) || levelIndex < 0 || levelIndex >= levels.length)
      throw invalidStep(
        message('errors.frame.noSuchLevel', '`flatten` cannot drop the level `{level}` because it does not exist.', {
          level: toPlainText(level),
        }),
      )
    return levelIndex
  })
  const dropped = new Set(levelIndexes)
  if (dropped.size > 0 && dropped.size >= levels.length)
    throw invalidStep(message('errors.frame.allLevels', '`flatten` cannot drop all levels.'))
  return dropped
}
