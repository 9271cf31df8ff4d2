import { createStore, useStore } from 'zustand'

/** Node whose name is being edited in its header; at most one. */
const renamingStore = createStore<{ id: string | null }>(() => ({ id: null }))

export const startRenaming = (id: string): void => renamingStore.setState({ id })
export const stopRenaming = (id: string): void =>
  renamingStore.setState((state) => (state.id === id ? { id: null } : state))
export const useIsRenaming = (id: string): boolean => useStore(renamingStore, (state) => state.id === id)
