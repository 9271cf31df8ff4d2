import { aggregates } from '@parquetry/model'
import type { IconName } from '@parquetry/ui'

/** A name that SQL may hold: a column, a metric, a table. */
export interface SqlName {
  name: string
  /** What it is called for people; it is found by that as well. */
  label?: string | null
  icon: IconName
  note: string
}

export interface SqlCompletion extends Pick<SqlName, 'icon' | 'note'> {
  /** What goes into the text. */
  text: string
  label: string
}

const maxCompletions = 8

const keywords =
  'SELECT DISTINCT FROM WHERE GROUP ORDER HAVING LIMIT JOIN LEFT INNER UNION WITH CASE WHEN THEN ELSE NULL LIKE BETWEEN CAST COALESCE NULLIF EXTRACT'.split(
    ' ',
  )
/** Shorter ones are written as fast as they are chosen. */
const minTyped = 3

/** The name that is being typed: letters, digits and underscores up to the caret, with a quote before them. */
export const wordBefore = (text: string, caret: number): string =>
  /["`]?[\p{L}_][\p{L}\p{N}_]*$/u.exec(text.slice(0, caret))?.[0] ?? ''

const plain = /^[a-z_][a-z0-9_]*$/
const quoted = (name: string, quote: string): string =>
  plain.test(name) ? name : quote + name.replaceAll(quote, quote + quote) + quote

export interface CompletionOptions {
  /** What the engine puts around names that are no plain words. */
  quote?: '"' | '`'
}

/** Names that hold the typed word, those that begin with it first, then aggregates and words of the language that begin with it. */
export function suggestCompletions(
  word: string,
  names: readonly SqlName[],
  { quote = '"' }: CompletionOptions = {},
): SqlCompletion[] {
  const isQuoted = /^["`]/.test(word)
  const typed = (isQuoted ? word.slice(1) : word).toLocaleLowerCase()
  if (typed === '') return []
  const holds = names.filter(
    ({ name, label }) =>
      name.toLocaleLowerCase().includes(typed) || (label?.toLocaleLowerCase().includes(typed) ?? false),
  )
  const begins = ({ name }: SqlName): boolean => name.toLocaleLowerCase().startsWith(typed)
  const found = [...holds.filter(begins), ...holds.filter((each) => !begins(each))].slice(0, maxCompletions)
  const isBegun = (text: string): boolean => !isQuoted && text.toLowerCase().startsWith(typed)
  const functions = aggregates.filter((name) => name !== 'COUNT_DISTINCT' && isBegun(name))
  const isWhole = keywords.includes(typed.toUpperCase())
  const own = typed.length < minTyped || isWhole ? [] : keywords.filter(isBegun)
  const all = [
    ...found.map(({ name, icon, note }) => ({ text: quoted(name, quote), label: name, icon, note })),
    ...functions.map((name) => ({ text: `${name}(`, label: `${name}( )`, icon: 'function' as const, note: '' })),
    ...own.map((name) => ({ text: name, label: name, icon: 'sql' as const, note: '' })),
  ]
  // Nothing to complete where the word stands there whole.
  return all.length === 1 && all[0]?.text === word ? [] : all.slice(0, maxCompletions)
}
