import { useEffect, useRef, useState } from 'react'

/** NATF-015: time in which a removed filter can be restored. */
const removalMs = 5000

/** Delays the removal of filters by five seconds, so that it can be undone. */
export function useRemoval(remove: (id: string) => void) {
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set())
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  const latest = useRef(remove)
  useEffect(() => {
    latest.current = remove
  })
  useEffect(() => {
    const running = timers.current
    return () => running.forEach((timer) => clearTimeout(timer))
  }, [])
  const without = (id: string) => (before: ReadonlySet<string>) => new Set([...before].filter((each) => each !== id))
  return {
    pending,
    start(id: string) {
      setPending((before) => new Set([...before, id]))
      timers.current.set(
        id,
        setTimeout(() => {
          setPending(without(id))
          latest.current(id)
        }, removalMs),
      )
    },
    undo(id: string) {
      clearTimeout(timers.current.get(id))
      setPending(without(id))
    },
  }
}
