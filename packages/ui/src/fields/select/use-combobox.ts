import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useOverlayLayer } from '../../commands/layers.ts'
import { optionId } from './OptionList.tsx'
import type { Option } from './options.ts'
import type { OptionsState } from './use-options.ts'

const pageRows = 10

export interface Combobox {
  listId: string
  active: number
  setActive(index: number): void
  /** Attributes for the input: role, state, keys. */
  inputProps: {
    role: 'combobox'
    'aria-expanded': boolean
    'aria-controls': string
    'aria-autocomplete': 'list'
    'aria-activedescendant': string | undefined
    autoComplete: 'off'
    onKeyDown(event: KeyboardEvent<HTMLInputElement>): void
  }
}

/** Open state, active option and keys, shared by single and multiple selects. */
export function useCombobox<V extends string | number>(
  state: OptionsState<V>,
  open: boolean,
  setOpen: (open: boolean) => void,
  pick: (option: Option<V>) => void,
  startAt: number,
): Combobox {
  const listId = useId()
  const [active, setActive] = useState(-1)
  useOverlayLayer(open, () => setOpen(false))
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (!open) setActive(-1)
  }
  const { length } = state.options
  const marked = state.firstFit !== null && active === 0 ? state.firstFit : Math.min(active, length - 1)

  /** Enter was pressed before the options for the typed text were loaded: the first of them will be picked. */
  const isAwaited = useRef(false)
  const isCurrent = open && state.firstFit === null && !state.loading
  const pickFirst = useEffectEvent(() => {
    const [first] = state.options
    if (first && first.disabledReason === undefined) pick(first)
  })
  useEffect(() => {
    if (isAwaited.current && isCurrent) pickFirst()
    if (isCurrent || !open) isAwaited.current = false
  }, [isCurrent, open])

  const move = (to: number): void => setActive(Math.max(0, Math.min(length - 1, to)))
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { key } = event
    isAwaited.current = false
    const from =
      marked < 0 ? (key === 'ArrowUp' || key === 'ArrowDown' ? startAt - (key === 'ArrowDown' ? 1 : -1) : 0) : marked
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, PageDown: from + pageRows, PageUp: from - pageRows }[key]
    if (to !== undefined) {
      event.preventDefault()
      if (open) move(to)
      else {
        setOpen(true)
        move(startAt)
      }
      return
    }
    if (key === 'Enter' && open) {
      const option = state.options[marked]
      // Enter picks an option and must not submit the surrounding form.
      event.preventDefault()
      if (option && option.disabledReason === undefined) pick(option)
      isAwaited.current = !option && state.firstFit !== null
    }
    if (key === 'Tab' && open) setOpen(false)
  }

  return {
    listId,
    active: marked,
    setActive,
    inputProps: {
      role: 'combobox',
      'aria-expanded': open,
      'aria-controls': listId,
      'aria-autocomplete': 'list',
      'aria-activedescendant': open && marked >= 0 ? optionId(listId, marked) : undefined,
      autoComplete: 'off',
      onKeyDown,
    },
  }
}
