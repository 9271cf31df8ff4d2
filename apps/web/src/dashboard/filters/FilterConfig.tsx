import type { NativeFilter } from '@parquetry/model'
import {
  Button,
  Dialog,
  EmptyState,
  Icon,
  IconButton,
  Menu,
  Segmented,
  toast,
  toastError,
  useText,
} from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { loadDashboard, saveDashboard } from '../data/calls.ts'
import { metadataBody } from '../document/save-body.ts'
import { newSuffix } from '../edit/new-things.ts'
import { saveErrorText } from '../edit/use-save.ts'
import { useActions, useBoard } from '../state/context.ts'
import {
  dependantsOf,
  faultsOf,
  filtersOf,
  newDivider,
  newFilter,
  reordered,
  withNativeFilters,
  type FilterKind,
} from './config.ts'
import { FilterForm } from './FilterForm.tsx'
import { isDivider } from './mask.ts'
import { applyModeOf, type ApplyMode } from './use-filter-bar.ts'
import styles from './FilterConfig.module.css'

/** NATF-015: how long a removed filter can be taken back. */
const removalMs = 5000

/** Filters of a dashboard: add, edit, order, remove; saved at once, apart from the layout (NATF-004 to NATF-016). */
export function FilterConfig({ onClose }: { onClose(): void }) {
  const t = useText()
  const { settle } = useActions()
  const dashboard = useBoard((state) => state.dashboard)
  // What is reached is judged by the layout as it is edited, and stored by the one that is stored.
  const edited = useBoard(({ history }) => history.present)
  const nodes = dashboard.layout.nodes
  const [first] = useState(() => filtersOf(dashboard.metadata, nodes))
  const [filters, setFilters] = useState<readonly NativeFilter[]>(first)
  const [mode, setMode] = useState<ApplyMode>(() => applyModeOf(dashboard.metadata))
  const [current, setCurrent] = useState<string | null>(first[0]?.id ?? null)
  const [wasTried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const removal = useRemoval((id) => setFilters((before) => before.filter((filter) => filter.id !== id)))

  const kept = filters.filter(({ id }) => !removal.pending.has(id))
  const isDirty = JSON.stringify([kept, mode]) !== JSON.stringify([first, applyModeOf(dashboard.metadata)])
  const invalid = kept.filter((filter) => faultsOf(filter, edited).length > 0)
  const selected = filters.find(({ id }) => id === current)

  const save = useMutation({
    mutationFn: async () => {
      const own = (dashboard.metadata.parquetry ?? {}) as object
      const isOwnMode = mode !== applyModeOf(dashboard.metadata)
      const metadata = withNativeFilters(
        { ...dashboard.metadata, ...(isOwnMode && { parquetry: { ...own, apply_filters: mode } }) },
        kept,
        nodes,
      )
      await saveDashboard(dashboard.result.id, metadataBody(dashboard, metadata))
      return (await loadDashboard(String(dashboard.result.id))).dashboard
    },
    onSuccess: (saved) => {
      settle((before) => ({ ...saved, layout: before.layout }))
      toast(t('dashboard.filtersSaved', 'The filters were saved'))
      onClose()
    },
    onError: (error) => toastError(saveErrorText(t, error)),
  })
  const submit = () => {
    setTried(true)
    const [bad] = invalid
    if (bad) setCurrent(bad.id)
    else if (isDirty) save.mutate()
    else onClose()
  }
  const put = (filter: NativeFilter) => {
    setFilters((before) => [...before, filter])
    setCurrent(filter.id)
  }
  const add = (kind: FilterKind) => put(newFilter(newSuffix(), kind))
  const change = (filter: NativeFilter) =>
    setFilters((before) => before.map((each) => (each.id === filter.id ? filter : each)))
  const move = (id: string) => (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined
    if (!by || !event.altKey) return
    event.preventDefault()
    setFilters((before) => reordered(before, id, by))
  }
  /** NATF-011: the reason why a filter stays; null when it may go. */
  const canDelete = (id: string): string | null => {
    const names = dependantsOf(kept, id).map(({ name }) => name)
    return names.length === 0
      ? null
      : t('dashboard.neededBy', 'The values of {names} depend on this filter. Remove that dependence first.', {
          names: names.join(', '),
        })
  }
  const remove = (id: string) => {
    const reason = canDelete(id)
    if (reason === null) removal.start(id)
    else setRefusal(reason)
  }
  const addItems = [
    { label: t('dashboard.valueFilter', 'Value'), icon: 'list' as const, onSelect: () => add('filter_select') },
    { label: t('dashboard.timeFilter', 'Time range'), icon: 'calendar' as const, onSelect: () => add('filter_time') },
  ]
  return (
    <Dialog
      open
      width={960}
      title={t('dashboard.filterConfig', 'Filters')}
      dirty={isDirty}
      onClose={onClose}
      onSubmit={submit}
      bodyClass={styles.body}
      footer={
        <>
          <Button onClick={onClose}>{t('dashboard.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {t('dashboard.save', 'Save')}
          </Button>
        </>
      }
    >
      <div className={styles.side}>
        <ul className={styles.list} aria-label={t('dashboard.filters', 'Filters')}>
          {filters.map((filter) => {
            const name = (isDivider(filter) ? filter.title : filter.name) || t('dashboard.unnamed', 'Unnamed')
            const isGoing = removal.pending.has(filter.id)
            const isBad = wasTried && invalid.includes(filter)
            return (
              <li key={filter.id} className={styles.entry} data-current={filter.id === current || undefined}>
                {isGoing ? (
                  <span className={styles.going}>
                    {t('dashboard.removedFilter', '{name} removed', { name })}
                    <Button variant="quiet" onClick={() => removal.undo(filter.id)}>
                      {t('dashboard.undo', 'Undo')}
                    </Button>
                  </span>
                ) : (
                  <>
                    <button
                      type="button"
                      className={styles.name}
                      aria-current={filter.id === current || undefined}
                      aria-description={t('dashboard.orderHow', 'Alt and arrows change the order.')}
                      onClick={() => setCurrent(filter.id)}
                      onKeyDown={move(filter.id)}
                    >
                      <Icon
                        name={
                          isDivider(filter) ? 'divider' : filter.filterType === 'filter_time' ? 'calendar' : 'filter'
                        }
                      />
                      <span>{name}</span>
                      {isBad && <Icon name="warning" label={t('dashboard.incomplete', 'Incomplete')} />}
                    </button>
                    <IconButton
                      icon="trash"
                      label={t('dashboard.removeFilter', 'Remove {name}', { name })}
                      onClick={() => remove(filter.id)}
                    />
                  </>
                )}
              </li>
            )
          })}
        </ul>
        <div className={styles.add}>
          <Menu items={addItems} label={t('dashboard.addFilter', 'Add a filter')}>
            <Button icon="plus">{t('dashboard.filter', 'Filter')}</Button>
          </Menu>
          <Button icon="plus" variant="quiet" onClick={() => put(newDivider(newSuffix(), ''))}>
            {t('dashboard.divider', 'Divider')}
          </Button>
        </div>
        <div className={styles.mode}>
          <span>{t('dashboard.applyMode', 'Filters take effect')}</span>
          <Segmented<ApplyMode>
            value={mode}
            onChange={setMode}
            label={t('dashboard.applyMode', 'Filters take effect')}
            options={[
              { value: 'at_once', label: t('dashboard.atOnce', 'At once') },
              { value: 'button', label: t('dashboard.byButton', 'With Apply') },
            ]}
          />
        </div>
      </div>
      <div className={styles.form}>
        {selected && !removal.pending.has(selected.id) ? (
          <FilterForm
            key={selected.id}
            filter={selected}
            others={kept.filter(({ id }) => id !== selected.id)}
            onChange={change}
            showFaults={wasTried}
          />
        ) : (
          <EmptyState inline level={3} title={t('dashboard.noFilter', 'No filter chosen')}>
            {t('dashboard.noFilterText', 'Add one, or choose one from the list.')}
          </EmptyState>
        )}
      </div>
      {refusal !== null && (
        <Dialog
          open
          role="alertdialog"
          title={t('dashboard.notRemoved', 'This filter cannot be removed')}
          onClose={() => setRefusal(null)}
          footer={
            <Button variant="primary" onClick={() => setRefusal(null)}>
              {t('dashboard.close', 'Close')}
            </Button>
          }
        >
          {refusal}
        </Dialog>
      )}
    </Dialog>
  )
}

/** Filters on their way out: five seconds to think again. */
function useRemoval(remove: (id: string) => void) {
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set())
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  const latest = useRef(remove)
  useEffect(() => {
    latest.current = remove
  })
  useEffect(() => {
    const running = timers.current
    return () => running.forEach((timer) => clearTimeout(timer))
  }, [])
  const without = (id: string) => (before: ReadonlySet<string>) => new Set([...before].filter((each) => each !== id))
  return {
    pending,
    start(id: string) {
      setPending((before) => new Set([...before, id]))
      timers.current.set(
        id,
        setTimeout(() => {
          setPending(without(id))
          latest.current(id)
        }, removalMs),
      )
    },
    undo(id: string) {
      clearTimeout(timers.current.get(id))
      setPending(without(id))
    },
  }
}
