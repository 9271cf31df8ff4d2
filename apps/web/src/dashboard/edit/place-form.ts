import { createStore, useStore } from 'zustand'

/** Which node's place, width or height is being typed; the dialog that asks stands once on the page. */
export interface PlaceForm {
  id: string
  field: 'place' | 'width' | 'height'
}

const asked = createStore<{ form: PlaceForm | null }>(() => ({ form: null }))

export const openPlaceForm = (form: PlaceForm): void => asked.setState({ form })
export const closePlaceForm = (): void => asked.setState({ form: null })
export const usePlaceForm = (): PlaceForm | null => useStore(asked, ({ form }) => form)
