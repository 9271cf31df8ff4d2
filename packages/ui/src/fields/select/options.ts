import type { IconName } from '../../icons/paths.ts'

export interface Option<V extends string | number = string> {
  value: V
  label: string
  /** Small words at the right: a type, a count. */
  note?: string
  icon?: IconName
  disabledReason?: string
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
