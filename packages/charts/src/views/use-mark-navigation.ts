import { useState, type KeyboardEvent } from 'react'
import type { Move, MarkRef } from '../resolve/layer.ts'
import type { ResolvedChart } from '../resolve/resolve-spec.ts'

const moves: Record<string, Move> = {
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  ArrowDown: 'down',
  ArrowUp: 'up',
  Home: 'first',
  End: 'last',
}

/**
 * Arrow-key navigation over the marks of a chart, as defined by its series types; Escape leaves it. `said` is the text that
 * screen readers announce at each step.
 */
export function useMarkNavigation(resolved: ResolvedChart): {
  place: MarkRef | null
  said: string
  /** Returns true if the key was handled. */
  onKey: (event: KeyboardEvent) => boolean
  leave: () => void
} {
  const [place, setPlace] = useState<MarkRef | null>(null)
  const current = place && resolved.has(place) ? place : null

  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === 'Escape' && current) {
      setPlace(null)
      return true
    }
    const move = moves[event.key]
    if (!move || resolved.isEmpty) return false
    setPlace(resolved.navigate(current, move) ?? current)
    return true
  }
  return { place: current, said: current ? resolved.markText(current) : '', onKey, leave: () => setPlace(null) }
}
