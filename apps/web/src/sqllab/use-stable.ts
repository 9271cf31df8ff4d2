import { useState } from 'react'
import type { QueryEditor } from './state.ts'

/** Returns the tab for the panes beside the editor, without rerendering them on typing. */
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

/** Returns the previous list as long as it contains the same items. */
export function useStableList<T>(list: readonly T[]): readonly T[] {
  const [kept, keep] = useState(list)
  if (kept === list) return kept
  if (kept.length === list.length && kept.every((thing, at) => thing === list[at])) return kept
  keep(list)
  return list
}
