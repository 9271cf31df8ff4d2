import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { toastError } from '../../feedback/toast.ts'
import { useTranslate } from '../../theme/i18n.ts'
import { filterOptions, parseTypedValue, type FreeText, type LoadOptions, type Option } from './options.ts'

const searchDelayMs = 250

interface Loaded<V extends string | number> {
  /** The typed text that the options belong to. */
  search: string
  options: readonly Option<V>[]
  count: number
  isCut: boolean
  page: number
  state: 'loading' | 'done' | 'failed'
  error: string
}

const emptyState = { search: '', options: [], count: 0, isCut: false, page: 0, state: 'loading', error: '' } as const

export interface OptionsState<V extends string | number> {
  options: readonly Option<V>[]
  /** Number of matches, including those not loaded. */
  count: number
  /** See `OptionPage`. */
  isCut: boolean
  loading: boolean
  error: string | null
  /**
   * While the list still belongs to an earlier text: index of the first option that matches the typed text, −1 for none. Null
   * when the list is current.
   */
  firstFit: number | null
  loadMore(): void
}

/**
 * Returns the options that match the typed text: filtered here, or loaded page by page while the list is open. With free text,
 * the typed text is offered too: before fixed options, which are examples, and after options of a server.
 */
export function useOptions<V extends string | number>(
  fixed: readonly Option<V>[] | undefined,
  load: LoadOptions<V> | undefined,
  open: boolean,
  search: string,
  freeText?: FreeText<V>,
  source?: string | null,
): OptionsState<V> {
  const t = useTranslate()
  const [loaded, setLoaded] = useState<Loaded<V>>(emptyState)
  const running = useRef<AbortController | null>(null)

  const fetchPage = useEffectEvent((page: number, before: readonly Option<V>[]) => {
    running.current?.abort()
    const control = new AbortController()
    running.current = control
    setLoaded((last) => ({ ...last, options: before, page, state: 'loading' }))
    load?.(search, page, control.signal).then(
      ({ options, count, isCut = false }) => {
        if (!control.signal.aborted)
          setLoaded({ search, options: [...before, ...options], count, isCut, page, state: 'done', error: '' })
      },
      (error: unknown) => {
        if (control.signal.aborted) return
        const message = error instanceof Error ? error.message : String(error)
        setLoaded({ ...emptyState, search, state: 'failed', error: message })
        toastError(t('ui.select.failed', 'Error while fetching data: {message}', { message }))
      },
    )
  })

  const isLoaded = load !== undefined
  useEffect(() => {
    if (!open || !isLoaded || source === null) return
    const timer = search ? setTimeout(() => fetchPage(0, []), searchDelayMs) : undefined
    // A reopened list never shows its previous content.
    if (!search) fetchPage(0, [])
    return () => {
      clearTimeout(timer)
      running.current?.abort()
    }
  }, [open, isLoaded, search, source])

  const [wishes, askMore] = useState(0)
  useEffect(() => {
    if (wishes > 0) fetchPage(loaded.page + 1, loaded.options)
    // Runs only on requests for more; the loaded options are read in their current state.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [wishes])
  const canMore = isLoaded && loaded.state === 'done' && loaded.options.length < loaded.count
  const loadMore = useCallback(() => {
    if (canMore) askMore((times) => times + 1)
  }, [canMore])

  const typed = open ? parseTypedValue(freeText, search) : null
  const offered = (options: readonly Option<V>[]): Option<V>[] => {
    if (typed === null) return []
    const text = search.trim().toLocaleLowerCase()
    const isListed = options.some(
      ({ value, label }) => label.toLocaleLowerCase() === text || String(value).toLocaleLowerCase() === text,
    )
    const label =
      typeof freeText === 'object' ? freeText.label(typed) : t('ui.select.use', 'Use {text}', { text: search.trim() })
    return isListed ? [] : [{ value: typed, label, isTyped: true }]
  }

  if (!isLoaded) {
    const fitting = filterOptions(fixed ?? [], search)
    const options = [...offered(fitting), ...namedFirst(fitting, freeText ? search : '')]
    return { options, count: options.length, isCut: false, loading: false, error: null, firstFit: null, loadMore }
  }
  const fits = filterOptions(loaded.options, search)[0]
  const more = offered(loaded.options)
  return {
    options: [...loaded.options, ...more],
    count: loaded.count + more.length,
    isCut: loaded.isCut,
    loading: loaded.state === 'loading',
    error: loaded.state === 'failed' ? loaded.error : null,
    firstFit: loaded.search === search ? null : fits ? loaded.options.indexOf(fits) : -1,
    loadMore,
  }
}

/** Moves the option named by the text to the front. */
function namedFirst<V extends string | number>(options: readonly Option<V>[], search: string): readonly Option<V>[] {
  const text = search.trim().toLocaleLowerCase()
  const named =
    text === ''
      ? undefined
      : options.find(({ value, label }) => [String(value), label].some((each) => each.toLocaleLowerCase() === text))
  return named ? [named, ...options.filter((each) => each !== named)] : options
}
