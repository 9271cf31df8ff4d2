import { useCallback } from 'react'
import { useIntl } from 'react-intl'

export type TextValues = Record<string, string | number | boolean | Date | null | undefined>

/** Looks a text up by id; `text` is the English one, in ICU syntax, and stands in the catalogue after `npm run gen`. */
export type Translate = (id: string, text: string, values?: TextValues) => string

export function useText(): Translate {
  const intl = useIntl()
  return useCallback((id, text, values) => intl.formatMessage({ id, defaultMessage: text }, values), [intl])
}
