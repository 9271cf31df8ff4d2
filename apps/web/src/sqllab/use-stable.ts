import { useState } from 'react'
import type { QueryEditor } from './state.ts'

/** Returns the tab for the panes beside the editor, without rerendering them on typing. */
export function useStableTab(tab: QueryEditor | undefined): QueryEditor | undefined {
  const [stable, setStable] = useState(tab)
  if (stable === tab) return stable
  if (stable && tab && sideFields.every((field) => stable[field] === tab[field])) return stable
  setStable(tab)
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
  const [stable, setStable] = useState(list)
  if (stable === list) return stable
  if (stable.length === list.length && stable.every((item, index) => item === list[index])) return stable
  setStable(list)
  return list
}
