import type { NativeFilter } from '@parquetry/model'
import { Button, useTranslate } from '@parquetry/ui'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { useDashboardState } from '../state/context.ts'
import { readBarSettings } from './bar-settings.ts'
import { validateFilter, listNativeFilters } from './config.ts'
import { useSaveFilters } from './use-save-filters.ts'

const ColumnChoice = lazyComponent(async () => (await import('./ColumnChoice.tsx')).ColumnChoice)

/** Number of frames to wait for the field of a new filter. */
const maxFrames = 120

export interface AddFilterProps {
  onConfigure(): void
  /** The list of columns is open from the start. */
  startsChoosing?: boolean
}

/** Adds a filter in two clicks: on the button, and on a column from a list with the most used ones first. */
export function AddFilter({ onConfigure, startsChoosing = false }: AddFilterProps) {
  const t = useTranslate()
  const [isChoosing, setChoosing] = useState(startsChoosing)
  const dashboard = useDashboardState((state) => state.dashboard)
  const nodes = useDashboardState(({ history }) => history.present)
  const added = useRef<string | null>(null)
  const save = useSaveFilters(() => setChoosing(false))

  // The field of the new filter receives the focus, unless the user has moved it elsewhere.
  useEffect(() => {
    let frame = 0
    // The code of a control loads with the first filter of its kind.
    const focusField = (triesLeft: number): void => {
      const id = added.current
      const field = id && document.querySelector<HTMLElement>(`[data-filter="${CSS.escape(id)}"] input`)
      if (id && !field && triesLeft > 0) frame = requestAnimationFrame(() => focusField(triesLeft - 1))
      if (!field) return
      if (document.activeElement === document.body) field.focus()
      added.current = null
    }
    focusField(maxFrames)
    return () => cancelAnimationFrame(frame)
  }, [dashboard])

  const add = (filter: NativeFilter): void => {
    setChoosing(false)
    // A filter that is incomplete opens the settings instead.
    if (validateFilter(filter, nodes).length > 0) return onConfigure()
    const filters = [...listNativeFilters(dashboard.metadata, dashboard.layout.nodes), filter]
    added.current = filter.id
    save.mutate({ filters, bar: readBarSettings(dashboard.metadata) })
  }
  const button = (
    <Button icon="plus" busy={isChoosing || save.isPending} onClick={() => setChoosing(true)}>
      {t('dashboard.addAFilter', 'Add a filter')}
    </Button>
  )
  if (!isChoosing) return button
  return (
    <span onBlur={() => setChoosing(false)}>
      <Suspense fallback={button}>
        <ColumnChoice onAdd={add} />
      </Suspense>
    </span>
  )
}
