import { createStore, useStore } from 'zustand'

/** Which node's place, width or height is being typed; the dialog that asks stands once on the page. */
export interface MoveResizeForm {
  id: string
  field: 'place' | 'width' | 'height'
}

const formStore = createStore<{ form: MoveResizeForm | null }>(() => ({ form: null }))

export const openMoveResizeForm = (form: MoveResizeForm): void => formStore.setState({ form })
export const closeMoveResizeForm = (): void => formStore.setState({ form: null })
export const useMoveResizeForm = (): MoveResizeForm | null => useStore(formStore, ({ form }) => form)
