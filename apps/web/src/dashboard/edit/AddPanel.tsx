import { chartsBelow, layoutNode, rootId } from '@parquetry/model'
import {
  ErrorPanel,
  Icon,
  IconButton,
  SegmentedControl,
  Skeleton,
  TextInput,
  toastError,
  useTranslate,
  type IconName,
} from '@parquetry/ui'
import { dragHandle } from '@parquetry/ui/drag/index.ts'
import { useDeferredValue, useEffect, useRef, useState, type UIEvent } from 'react'
import { messageOf } from '../../shared/errors.ts'
import { vizIcon, vizName } from '../../shared/viz.ts'
import { chartNode } from '../layout/arrange.ts'
import { add } from '../layout/commands.ts'
import type { NewNode } from '../layout/rules.ts'
import { useDashboardState, useDashboard } from '../state/context.ts'
import { findAppendTarget } from './append-target.ts'
import { useNodeNames } from './node-names.ts'
import {
  createBlock,
  newBlockHandle,
  newBlockTypes,
  newChartHandle,
  createIdSuffix,
  type NewBlockType,
} from './new-nodes.ts'
import { noDefinitionText } from './texts.ts'
import { useEdit } from './use-edit.ts'
import { toChartRecord, useSavedCharts, type SavedChart } from './use-saved-charts.ts'
import styles from './Edit.module.css'

type View = 'charts' | 'layout'

/** Lists saved charts and blocks to drag into the layout or to add at its end with a click. */
export function AddPanel({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const [view, setView] = useState<View>('charts')
  const panel = useRef<HTMLElement>(null)
  const adding = useDashboardState((state) => state.adding)
  // The panel receives the focus when it was opened from a tab.
  useEffect(() => {
    if (adding.into !== null) panel.current?.querySelector<HTMLElement>('input:not([type=radio]), li button')?.focus()
  }, [adding])
  return (
    <aside ref={panel} className={styles.panel} aria-label={t('dashboard.add', 'Add')}>
      <div className={styles.panelHead}>
        <div className={styles.panelTitle}>
          <h2>{t('dashboard.add', 'Add')}</h2>
          <IconButton icon="close" label={t('dashboard.closeAdd', 'Close Add pane')} onClick={onClose} />
        </div>
        <SegmentedControl<View>
          value={view}
          onChange={setView}
          label={t('dashboard.addWhat', 'Item type')}
          options={[
            { value: 'charts', label: t('dashboard.charts', 'Charts') },
            { value: 'layout', label: t('dashboard.layout', 'Layout') },
          ]}
        />
      </div>
      {view === 'charts' ? <Charts /> : <Blocks />}
    </aside>
  )
}

/** Adds an item at the end of the open content: to the last row if it fits, otherwise in a new row. */
function useAdd() {
  const edit = useEdit()
  const names = useNodeNames()
  const { store, announce } = useDashboard()
  return (newNode: NewNode) => {
    const { openTabs, adding } = store.getState()
    edit((nodes) => add(nodes, newNode, findAppendTarget(nodes, openTabs, adding.into, newNode)), newNode.id)
    const after = store.getState().history.present
    const node = layoutNode(after, newNode.id)
    if (!node) return
    announce(names.describePosition(after, node))
    requestAnimationFrame(() =>
      document.querySelector(`[data-node="${CSS.escape(newNode.id)}"]`)?.scrollIntoView({ block: 'nearest' }),
    )
  }
}

function Charts() {
  const t = useTranslate()
  const [search, setSearch] = useState('')
  const [owner, setOwner] = useState<'all' | 'mine'>('all')
  const text = useDeferredValue(search)
  const { data, error, isPending, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useSavedCharts(
    text.trim(),
    owner === 'mine',
  )
  const charts = data?.pages.flatMap(({ result }) => result) ?? []
  const onScroll = ({ currentTarget: list }: UIEvent<HTMLElement>) => {
    const isNearEnd = list.scrollTop + list.clientHeight > list.scrollHeight - 400
    if (isNearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }
  return (
    <>
      <div className={styles.panelHead}>
        <TextInput
          icon="search"
          value={search}
          onChange={setSearch}
          placeholder={t('dashboard.findChart', 'Search charts')}
          aria-label={t('dashboard.findChart', 'Search charts')}
        />
        <SegmentedControl
          value={owner}
          onChange={setOwner}
          label={t('dashboard.whose', 'Owner')}
          options={[
            { value: 'all', label: t('dashboard.all', 'All') },
            { value: 'mine', label: t('dashboard.mine', 'Mine') },
          ]}
        />
      </div>
      <div className={styles.panelList} onScroll={onScroll} aria-busy={isPending}>
        {isPending && [1, 2, 3, 4, 5].map((row) => <Skeleton key={row} height={32} />)}
        {error && (
          <ErrorPanel
            inline
            title={t('dashboard.chartsFailed', 'Could not fetch all saved charts')}
            onRetry={() => void refetch()}
          >
            {t('dashboard.chartsFailedWhy', 'Sorry there was an error fetching saved charts: {reason}', {
              reason: messageOf(error),
            })}
          </ErrorPanel>
        )}
        <ul>
          {charts.map((chart) => (
            <ChartItem key={chart.id} chart={chart} />
          ))}
        </ul>
        {!isPending && !error && charts.length === 0 && (
          <p className={styles.itemNote}>{t('dashboard.noCharts', 'No charts found')}</p>
        )}
      </div>
    </>
  )
}

function ChartItem({ chart }: { chart: SavedChart }) {
  const t = useTranslate()
  const { data } = useDashboard()
  const addItem = useAdd()
  const isOn = useDashboardState(({ history }) => chartsBelow(history.present, rootId).includes(chart.id))
  const definition = toChartRecord(chart)
  const name = chart.slice_name ?? ''
  const know = () => definition && data.addChart(definition)
  const addChart = () => {
    if (!definition) return toastError(noDefinitionText(t))
    data.addChart(definition)
    addItem(chartNode(definition, createIdSuffix()))
  }
  return (
    <li
      className={styles.item}
      onPointerDown={know}
      {...(definition && { ...dragHandle(newChartHandle(chart.id)), style: { touchAction: 'pan-y' } })}
    >
      <Icon name={vizIcon(chart.viz_type ?? '')} />
      <span className={styles.itemText}>
        <span title={name}>{name}</span>
        <span className={styles.itemNote}>
          {isOn
            ? t('dashboard.onIt', 'On this dashboard')
            : [chart.viz_type && vizName(chart.viz_type, t), chart.datasource_name_text].filter(Boolean).join(' · ')}
        </span>
      </span>
      {isOn && <Icon name="check" />}
      <IconButton icon="plus" label={t('dashboard.addThing', 'Add {name}', { name })} onClick={addChart} />
    </li>
  )
}

const blockIcons: Readonly<Record<NewBlockType, IconName>> = {
  TABS: 'dashboard',
  COLUMN: 'columns',
  HEADER: 'text',
  MARKDOWN: 'edit',
  DIVIDER: 'divider',
}

function Blocks() {
  const t = useTranslate()
  const addItem = useAdd()
  const names: Record<NewBlockType, string> = {
    COLUMN: t('dashboard.column', 'Column'),
    HEADER: t('dashboard.header', 'Header'),
    DIVIDER: t('dashboard.divider', 'Divider'),
    TABS: t('dashboard.tabs', 'Tabs'),
    MARKDOWN: t('dashboard.text', 'Text'),
  }
  return (
    <ul className={styles.panelList}>
      {newBlockTypes.map((type) => (
        <li key={type} className={styles.item} {...dragHandle(newBlockHandle(type))}>
          <Icon name={blockIcons[type]} />
          <span className={styles.itemText}>{names[type]}</span>
          <IconButton
            icon="plus"
            label={t('dashboard.addThing', 'Add {name}', { name: names[type] })}
            onClick={() => addItem(createBlock(type, createIdSuffix(), t('dashboard.newHeader', 'New header')))}
          />
        </li>
      ))}
    </ul>
  )
}
