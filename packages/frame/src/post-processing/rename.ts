import { toPlainText } from '@parquetry/model/plain-text'
import type { Options } from './options.ts'
import { StepRefusal } from './refusal.ts'
import { requireColumns, type Label, type Table } from './table.ts'

/** `rename`: renames labels, or one level of them; null removes the part. Rejected when all new names already exist. */
export function rename(table: Table, options: Options): Table {
  const names = options.required('columns', options.renames('columns', true))
  const level = resolveLevel(options.raw('level'), table)
  options.flag('inplace')
  requireColumns(table, names.keys())
  if (names.size === 0) return table
  const there = new Set(table.columns.map(({ label }) => label[level ?? 0]))
  if ([...names.values()].every((name) => there.has(name)))
    throw new StepRefusal('A column with this name already exists.')
  const renamed = (label: Label): Label =>
    label.map((part, index) =>
      part !== null && (level === null || index === level) && names.has(part) ? names.get(part)! : part,
    )
  return { ...table, columns: table.columns.map(({ label, data }) => ({ label: renamed(label), data })) }
}

/** Level to rename; null for every level. @throws StepRefusal when there is no such level */
function resolveLevel(given: unknown, { levels }: Table): number | null {
  if (given == null) return null
  const level =
    typeof given === 'number' ? (given < 0 ? given + levels.length : given) : levels.indexOf(given as string)
  if (!Number.isInteger(level) || level < 0 || level >= levels.length)
    throw new StepRefusal(`The labels have no level \`${toPlainText(given)}\`.`)
  return level
}
