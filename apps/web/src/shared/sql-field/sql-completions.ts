import { aggregates } from '@parquetry/model'
import type { IconName } from '@parquetry/ui'

/** A name that SQL may contain: a column, a metric, a table. */
export interface SqlName {
  name: string
  /** Label of the name; it is searched as well. */
  label?: string | null
  icon: IconName
  note: string
}

export interface SqlCompletion extends Pick<SqlName, 'icon' | 'note'> {
  /** Inserted text. */
  text: string
  label: string
}

const maxCompletions = 8

const keywords =
  'SELECT DISTINCT FROM WHERE GROUP ORDER HAVING LIMIT JOIN LEFT INNER UNION WITH CASE WHEN THEN ELSE NULL LIKE BETWEEN CAST COALESCE NULLIF EXTRACT'.split(
    ' ',
  )
/** Shorter keywords are typed as fast as they are selected. */
const minTyped = 3

/** Returns the name being typed: letters, digits and underscores up to the caret, with a quote before them. */
export const wordBefore = (text: string, caret: number): string =>
  /["`]?[\p{L}_][\p{L}\p{N}_]*$/u.exec(text.slice(0, caret))?.[0] ?? ''

const plain = /^[a-z_][a-z0-9_]*$/
const quoted = (name: string, quote: string): string =>
  plain.test(name) ? name : quote + name.replaceAll(quote, quote + quote) + quote

export interface CompletionOptions {
  /** Quote character of the engine for names that are not plain words. */
  quote?: '"' | '`'
}

/** Names that contain the typed word, prefix matches first, then aggregates and keywords that start with it. */
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
  const startsWithTyped = ({ name }: SqlName): boolean => name.toLocaleLowerCase().startsWith(typed)
  const found = [...holds.filter(startsWithTyped), ...holds.filter((each) => !startsWithTyped(each))].slice(
    0,
    maxCompletions,
  )
  const isPrefixMatch = (text: string): boolean => !isQuoted && text.toLowerCase().startsWith(typed)
  const functions = aggregates.filter((name) => name !== 'COUNT_DISTINCT' && isPrefixMatch(name))
  const isKeyword = keywords.includes(typed.toUpperCase())
  const own = typed.length < minTyped || isKeyword ? [] : keywords.filter(isPrefixMatch)
  const all = [
    ...found.map(({ name, icon, note }) => ({ text: quoted(name, quote), label: name, icon, note })),
    ...functions.map((name) => ({ text: `${name}(`, label: `${name}( )`, icon: 'function' as const, note: '' })),
    ...own.map((name) => ({ text: name, label: name, icon: 'sql' as const, note: '' })),
  ]
  // A word that is already complete needs no completion.
  return all.length === 1 && all[0]?.text === word ? [] : all.slice(0, maxCompletions)
}
