import { aggregates } from '@parquetry/model'
import type { ExploreColumn, ExploreDataset } from '../use-explore.ts'

export interface Completion {
  /** What goes into the text. */
  text: string
  label: string
  note: string
  column?: ExploreColumn
}

const most = 8

/** The name that is being typed: letters, digits and underscores up to the caret, with a quote before them. */
export const wordBefore = (text: string, caret: number): string =>
  /"?[\p{L}_][\p{L}\p{N}_]*$/u.exec(text.slice(0, caret))?.[0] ?? ''

const plain = /^[a-z_][a-z0-9_]*$/
const quoted = (name: string): string => (plain.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

/** Columns whose name holds the typed word, those that begin with it first, and aggregates that begin with it. */
export function completionsFor(word: string, { columns }: Pick<ExploreDataset, 'columns'>): Completion[] {
  const typed = word.replace(/^"/, '').toLocaleLowerCase()
  if (typed === '') return []
  const holds = columns.filter(
    ({ column_name, verbose_name }) =>
      column_name.toLocaleLowerCase().includes(typed) || verbose_name?.toLocaleLowerCase().includes(typed),
  )
  const begins = ({ column_name }: ExploreColumn): boolean => column_name.toLocaleLowerCase().startsWith(typed)
  const found = [...holds.filter(begins), ...holds.filter((column) => !begins(column))].slice(0, most)
  const functions = word.startsWith('"')
    ? []
    : aggregates.filter((name) => name.toLowerCase().startsWith(typed) && name !== 'COUNT_DISTINCT')
  const all = [
    ...found.map((column) => ({
      text: quoted(column.column_name),
      label: column.column_name,
      note: (column.type ?? '').toLowerCase(),
      column,
    })),
    ...functions.map((name) => ({ text: `${name}(`, label: `${name}( )`, note: '' })),
  ]
  // Nothing to complete where the word stands there whole.
  return all.length === 1 && all[0]?.text === word ? [] : all.slice(0, most)
}
