import { createContext, use } from 'react'

export type TextValues = Readonly<Record<string, string | number | boolean | Date | null | undefined>>

/** Looks up a text by id; `text` is the English one in ICU syntax, added to the catalog by `npm run gen`. */
export type Translate = (id: string, text: string, values?: TextValues) => string

/** The reader's language. */
export interface I18n {
  /** BCP 47 tag. */
  locale: string
  /** The catalog as data, for drawing outside of React. */
  messages: Readonly<Record<string, string>>
  translate: Translate
}

export const I18nContext = createContext<I18n | null>(null)

export function useI18n(): I18n {
  const words = use(I18nContext)
  if (!words) throw new Error('no UiProvider above')
  return words
}

export const useTranslate = (): Translate => useI18n().translate
