import type { IconName } from '../../icons/paths.ts'

export interface Option<V extends string | number = string> {
  value: V
  label: string
  /** Small text on the right: a type, a count. */
  note?: string
  icon?: IconName
  /** Swatches on the right, for options that are color schemes. */
  colors?: readonly string[]
  disabledReason?: string
  /** The typed text instead of an option of the list. */
  isTyped?: true
}

/** Allows typed text as a value. A function parses it and returns null for an invalid value. */
export type FreeText<V extends string | number> =
  | boolean
  | ((text: string) => V | null)
  | {
      read(text: string): V | null
      /** Label of the typed text in the list; "Use …" by default. */
      label(value: V): string
      /** Shown in the list for a typed text that has no value. */
      invalid?: string
      /** Adds the typed text when the field loses the focus, for fields that are filled by typing alone. */
      addsOnBlur?: boolean
    }

/** Returns the value for a typed text; null if there is none. */
export const parseTypedValue = <V extends string | number>(
  freeText: FreeText<V> | undefined,
  text: string,
): V | null => {
  const typed = text.trim()
  if (!freeText || typed === '') return null
  if (freeText === true) return typed as V
  return typeof freeText === 'function' ? freeText(typed) : freeText.read(typed)
}

/** The settings of a `FreeText` that is an object. */
export const freeTextSettings = <V extends string | number>(
  freeText: FreeText<V> | undefined,
): Extract<FreeText<V>, { label: unknown }> | undefined => (typeof freeText === 'object' ? freeText : undefined)

export interface OptionPage<V extends string | number> {
  options: Option<V>[]
  /** Total number of options. */
  count: number
  /** There are more options, of an unknown number, which only a longer search text leads to. */
  isCut?: boolean
}

/** Loads one page of options that match the typed text; `page` counts from 0. Pages may have any size. */
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

/** Splits pasted text at commas, line breaks, tabs and semicolons, without blank and duplicate values. */
export const splitPasted = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n\r\t;]/)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
]
