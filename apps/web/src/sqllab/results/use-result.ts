import { useEffect, useState } from 'react'
import type { SqlLabActions } from '../actions.ts'
import type { Query } from '../state.ts'
import { localResults, type CachedResult } from './local-results.ts'

/** Results that were cleared by hand: they come back when somebody asks for them. */
const cleared = new Set<string>()
/** Results that the server was asked for already; it is asked once by itself. */
const fetched = new Set<string>()

export const discardResult = (queryId: string): void => {
  cleared.add(queryId)
  void localResults.remove(queryId).catch(() => undefined)
}

/**
 * The rows of a query: those at hand, else those that this browser kept, else those that the server kept, which are fetched once.
 * What is at hand is kept in the browser when it is small enough.
 */
export function useResult(
  query: Query | null,
  { fetchResults }: Pick<SqlLabActions, 'fetchResults'>,
): CachedResult | null {
  const [local, setLocal] = useState<{ id: string; result: CachedResult } | null>(null)
  const id = query?.id ?? ''
  const isAtHand = query?.results != null
  const results = query?.results ?? null
  const isMissing = query !== null && query.state === 'success' && !isAtHand && local?.id !== id
  const hasKey = query?.resultsKey != null

  useEffect(() => {
    if (!isMissing || cleared.has(id)) return
    let isWanted = true
    void localResults
      .get(id)
      .catch(() => null)
      .then((result) => {
        if (!isWanted) return
        if (result) return setLocal({ id, result })
        if (!hasKey || fetched.has(id)) return
        fetched.add(id)
        fetchResults(id)
      })
    return () => {
      isWanted = false
    }
  }, [id, isMissing, hasKey, fetchResults])

  useEffect(() => {
    if (!results || id === '') return
    const idle = requestIdleCallback(() => void localResults.put(id, results).catch(() => undefined))
    return () => cancelIdleCallback(idle)
  }, [id, results])

  const isLocal = local?.id === id && query?.state === 'success' && !cleared.has(id)
  return results ?? (isLocal ? local.result : null)
}
