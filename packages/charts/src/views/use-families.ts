import { useEffect, useState } from 'react'
import type { Spec } from '../define.ts'
import { getLoadedFamilies, listKinds, loadFamilies, type Families } from '../resolve/families/load.ts'
import { enqueueRender } from './render-queue.ts'

/**
 * Returns the families of a spec's series; null while their code is loading, and an error if it could not be fetched or a type
 * does not exist.
 */
export function useFamilies(spec: Spec): Families | Error | null {
  const kinds = listKinds(spec).join(' ')
  const [failed, setFailed] = useState<{ kinds: string; error: Error } | null>(null)
  const [, setLoads] = useState(0)
  const atHand = getLoadedFamilies(listKinds(spec))
  useEffect(() => {
    if (atHand) return
    let isCurrent = true
    loadFamilies(kinds.split(' ')).then(
      () => enqueueRender(() => isCurrent && setLoads((count) => count + 1)),
      (error: unknown) =>
        isCurrent && setFailed({ kinds, error: error instanceof Error ? error : new Error(String(error)) }),
    )
    return () => {
      isCurrent = false
    }
  }, [kinds, atHand])
  return atHand ?? (failed?.kinds === kinds ? failed.error : null)
}
