import { useEffect, useRef, useState, type KeyboardEvent } from 'react'

const debounceMs = 300

/**
 * CTRL-029, CTRL-031: hands on what was typed once nothing has been for 300 ms, so that a number of four digits is one step of
 * undo and one question. At once when the field is left or goes away, by Enter and by whatever may be a shortcut.
 */
export function useDebouncedChange<T>(value: T, onChange: (value: T) => void) {
  const [shown, show] = useState<{ value: T } | null>(null)
  const pending = useRef<{ value: T } | null>(null)
  const tell = useRef(onChange)
  useEffect(() => {
    tell.current = onChange
  })
  const flush = (): void => {
    const typed = pending.current
    if (!typed) return
    pending.current = null
    show(null)
    tell.current(typed.value)
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
    /** For the element around the field. */
    around: {
      onBlur: flush,
      onKeyDown: ({ key, ctrlKey, metaKey }: KeyboardEvent): void => {
        if (key === 'Enter' || ctrlKey || metaKey) flush()
      },
    },
  }
}
