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

/** A template that is inserted for a typed part of its name. */
export interface TemplateCompletion {
  name: string
  text: string
  note: string
}

export interface CompletionOptions {
  /** Offered after the names. */
  templates?: readonly TemplateCompletion[]
  /** Quote character of the engine for names that are not plain words. */
  quote?: '"' | '`'
}

/** Names that contain the typed word, prefix matches first, then aggregates and keywords that start with it. */
export function suggestCompletions(
  word: string,
  names: readonly SqlName[],
  { quote = '"', templates = [] }: CompletionOptions = {},
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
  const macros = templates.filter(({ name }) => typed.length >= minTyped && !isQuoted && name.includes(typed))
  const all = [
    ...found.map(({ name, icon, note }) => ({ text: quoted(name, quote), label: name, icon, note })),
    ...macros.map(({ name, text, note }) => ({ text, label: name, icon: 'function' as const, note })),
    ...functions.map((name) => ({ text: `${name}(`, label: `${name}( )`, icon: 'function' as const, note: '' })),
    ...own.map((name) => ({ text: name, label: name, icon: 'sql' as const, note: '' })),
  ]
  // A word that is already complete needs no completion.
  return all.length === 1 && all[0]?.text === word ? [] : all.slice(0, maxCompletions)
}

/** The text with a completion in place of the word before the caret; a template takes along the braces typed around it. */
export function insertCompletion(value: string, caret: number, text: string): { value: string; caret: number } {
  const start = caret - wordBefore(value, caret).length
  const opening = /\{\{/.test(text) ? /\{\{-?\s*$/.exec(value.slice(0, start)) : null
  const closing = opening ? (/^\s*-?\}\}/.exec(value.slice(caret))?.[0].length ?? 0) : 0
  const before = value.slice(0, opening?.index ?? start) + (opening ? text.replaceAll(/^'|'$/g, '') : text)
  return { value: before + value.slice(caret + closing), caret: before.length }
}
