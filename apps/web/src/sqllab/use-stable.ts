import { useState } from 'react'
import type { QueryEditor } from './state.ts'

/** The tab as the panes beside the editor see it: typing does not draw them again. */
export function useStableTab(tab: QueryEditor | undefined): QueryEditor | undefined {
  const [kept, keep] = useState(tab)
  if (kept === tab) return kept
  if (kept && tab && sideFields.every((field) => kept[field] === tab[field])) return kept
  keep(tab)
  return tab
}

const sideFields = [
  'id',
  'name',
  'dbId',
  'catalog',
  'schema',
  'queryLimit',
  'latestQueryId',
  'hideLeftBar',
  'loaded',
  'tabStateId',
] as const

/** The list before, as long as it holds the same things. */
export function useStableList<T>(list: readonly T[]): readonly T[] {
  const [kept, keep] = useState(list)
  if (kept === list) return kept
  if (kept.length === list.length && kept.every((thing, at) => thing === list[at])) return kept
  keep(list)
  return list
}
