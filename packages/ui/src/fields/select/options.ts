import type { IconName } from '../../icons/paths.ts'

export interface Option<V extends string | number = string> {
  value: V
  label: string
  /** Small words at the right: a type, a count. */
  note?: string
  icon?: IconName
  disabledReason?: string
  /** No option of the list, but the text that was typed. */
  isTyped?: true
}

/** Whether typed text is a value of its own; a function reads it, and gives null for what is none. */
export type FreeText<V extends string | number> = boolean | ((text: string) => V | null)

/** The value that a typed text is; null where it is none. */
export const parseTypedValue = <V extends string | number>(
  freeText: FreeText<V> | undefined,
  text: string,
): V | null => {
  const typed = text.trim()
  if (!freeText || typed === '') return null
  return typeof freeText === 'function' ? freeText(typed) : (typed as V)
}

export interface OptionPage<V extends string | number> {
  options: Option<V>[]
  /** How many there are in all. */
  count: number
}

/** Asks for one page of options that fit the typed text; `page` counts from 0. A page may be of any size. */
export type LoadOptions<V extends string | number> = (
  search: string,
  page: number,
  signal: AbortSignal,
) => Promise<OptionPage<V>>

export const filterOptions = <V extends string | number>(
  options: readonly Option<V>[],
  search: string,
): readonly Option<V>[] => {
  const text = search.trim().toLocaleLowerCase()
  return text ? options.filter(({ label }) => label.toLocaleLowerCase().includes(text)) : options
}

/** Pasted values: parted by comma, newline, tab and semicolon, without blanks and doubles. */
export const splitPasted = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n\r\t;]/)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
]
