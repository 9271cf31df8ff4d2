import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { filterOptions, type LoadOptions, type Option } from './options.ts'

const searchDelayMs = 250

interface Loaded<V extends string | number> {
  /** The typed text that the options answer. */
  search: string
  options: readonly Option<V>[]
  count: number
  page: number
  state: 'loading' | 'done' | 'failed'
  error: string
}

const nothing = { search: '', options: [], count: 0, page: 0, state: 'loading', error: '' } as const

export interface OptionsState<V extends string | number> {
  options: readonly Option<V>[]
  /** How many fit, those not loaded included. */
  count: number
  loading: boolean
  error: string | null
  /** Of a list that answers an earlier text, the first option that fits what is typed, −1 for none; null when it is up to date. */
  firstFit: number | null
  loadMore(): void
}

/** The options that fit the typed text: filtered here, or asked for page by page while the list is open. */
export function useOptions<V extends string | number>(
  fixed: readonly Option<V>[] | undefined,
  load: LoadOptions<V> | undefined,
  open: boolean,
  search: string,
): OptionsState<V> {
  const [loaded, setLoaded] = useState<Loaded<V>>(nothing)
  const running = useRef<AbortController | null>(null)

  const fetchPage = useEffectEvent((page: number, before: readonly Option<V>[]) => {
    running.current?.abort()
    const control = new AbortController()
    running.current = control
    setLoaded((last) => ({ ...last, options: before, page, state: 'loading' }))
    load?.(search, page, control.signal).then(
      ({ options, count }) => {
        if (!control.signal.aborted)
          setLoaded({ search, options: [...before, ...options], count, page, state: 'done', error: '' })
      },
      (error: unknown) => {
        if (!control.signal.aborted)
          setLoaded({
            ...nothing,
            search,
            state: 'failed',
            error: error instanceof Error ? error.message : String(error),
          })
      },
    )
  })

  const isLoaded = load !== undefined
  useEffect(() => {
    if (!open || !isLoaded) return
    const timer = setTimeout(() => fetchPage(0, []), search ? searchDelayMs : 0)
    return () => {
      clearTimeout(timer)
      running.current?.abort()
    }
  }, [open, isLoaded, search])

  const [more, askMore] = useState(0)
  useEffect(() => {
    if (more > 0) fetchPage(loaded.page + 1, loaded.options)
    // Only the wish for more starts this; what is loaded is read as it stands.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [more])
  const canMore = isLoaded && loaded.state === 'done' && loaded.options.length < loaded.count
  const loadMore = useCallback(() => {
    if (canMore) askMore((times) => times + 1)
  }, [canMore])

  if (!isLoaded) {
    const options = filterOptions(fixed ?? [], search)
    return { options, count: options.length, loading: false, error: null, firstFit: null, loadMore }
  }
  const fits = filterOptions(loaded.options, search)[0]
  return {
    options: loaded.options,
    count: loaded.count,
    loading: loaded.state === 'loading',
    error: loaded.state === 'failed' ? loaded.error : null,
    firstFit: loaded.search === search ? null : fits ? loaded.options.indexOf(fits) : -1,
    loadMore,
  }
}
