import { useEffect, useRef, useState, type KeyboardEvent } from 'react'

const debounceMs = 300

/**
 * CTRL-029, CTRL-031: debounces typed input by 300 ms, so that a four-digit number is one undo step and one query. Blur,
 * unmounting, Enter and possible shortcuts flush it immediately.
 */
export function useDebouncedChange<T>(value: T, onChange: (value: T) => void) {
  const [shown, show] = useState<{ value: T } | null>(null)
  const pending = useRef<{ value: T } | null>(null)
  const latestOnChange = useRef(onChange)
  useEffect(() => {
    latestOnChange.current = onChange
  })
  const flush = (): void => {
    const typed = pending.current
    if (!typed) return
    pending.current = null
    show(null)
    latestOnChange.current(typed.value)
  }
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(flush, debounceMs)
    return () => clearTimeout(timer)
  }, [shown])
  useEffect(() => flush, [])
  return {
    value: shown ? shown.value : value,
    onChange: (next: T): void => {
      pending.current = { value: next }
      show(pending.current)
    },
    /** Handlers for the element around the field. */
    around: {
      onBlur: flush,
      onKeyDown: ({ key, ctrlKey, metaKey }: KeyboardEvent): void => {
        if (key === 'Enter' || ctrlKey || metaKey) flush()
      },
    },
  }
}
