import { createStore, useStore } from 'zustand'

/** Node and property that the dialog edits; the page contains one such dialog. */
export interface MoveResizeForm {
  id: string
  field: 'place' | 'width' | 'height'
}

const formStore = createStore<{ form: MoveResizeForm | null }>(() => ({ form: null }))

export const openMoveResizeForm = (form: MoveResizeForm): void => formStore.setState({ form })
export const closeMoveResizeForm = (): void => formStore.setState({ form: null })
export const useMoveResizeForm = (): MoveResizeForm | null => useStore(formStore, ({ form }) => form)
