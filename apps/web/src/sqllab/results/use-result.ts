import { useEffect, useState } from 'react'
import type { SqlLabActions } from '../actions.ts'
import type { Query } from '../state.ts'
import { localResults, type CachedResult } from './local-results.ts'

/** Results that the user cleared: they return only on request. */
const cleared = new Set<string>()
/** Results already requested from the server automatically, which happens once. */
const fetched = new Set<string>()

export const discardResult = (queryId: string): void => {
  cleared.add(queryId)
  void localResults.remove(queryId).catch(() => undefined)
}

/**
 * Returns the rows of a query: those in memory, else those stored in this browser, else those stored on the server, which are
 * fetched once. Rows in memory are stored in the browser if small enough.
 */
export function useResult(
  query: Query | null,
  { fetchResults }: Pick<SqlLabActions, 'fetchResults'>,
): CachedResult | null {
  const [local, setLocal] = useState<{ id: string; result: CachedResult } | null>(null)
  const id = query?.id ?? ''
  const isLoaded = query?.results != null
  const results = query?.results ?? null
  const isMissing = query !== null && query.state === 'success' && !isLoaded && local?.id !== id
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
