import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { sayIn, type Messages, type Say } from '../resolve/words.ts'

/** The reader's language as pure code takes it: the catalogue as data and a voice made of it. */
export function useWords(): { messages: Messages; say: Say; locale: string } {
  const { messages, locale } = useIntl()
  return useMemo(() => {
    const words = { messages: messages as Messages, locale }
    return { ...words, say: sayIn(words) }
  }, [messages, locale])
}
