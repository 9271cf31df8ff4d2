import { useText } from '@parquetry/ui'
import { useCallback } from 'react'
import type { Say } from '../resolve/words.ts'

/** The catalogue as pure code takes it. */
export function useSay(): Say {
  const t = useText()
  return useCallback((id, text, values) => t(id, text, values), [t])
}
