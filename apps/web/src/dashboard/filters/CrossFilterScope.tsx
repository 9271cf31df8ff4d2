import {
  chartsBelow,
  chartsInScope,
  globalCrossFilterScope,
  ownCrossFilterScope,
  rootId,
  type FilterScope,
  type LayoutNodes,
} from '@parquetry/model'
import { Button, Dialog, Field, SegmentedControl, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import type { Metadata } from '../document/read-dashboard.ts'
import { useDashboardState } from '../state/context.ts'
import { buildScope } from './config.ts'
import { ScopeTree } from './ScopeTree.tsx'
import { useSaveMetadata } from './use-save-metadata.ts'
import styles from './FilterConfig.module.css'

interface Scopes {
  /** Scope of this chart; null if it uses the default of all charts. */
  own: FilterScope | null
  all: FilterScope
}

/** Metadata with new cross-filter scopes. The charts in scope are written beside each one, as other tools expect. */
export function withCrossScopes(
  metadata: Metadata,
  nodes: LayoutNodes,
  chartId: number,
  { own, all }: Scopes,
): Metadata {
  const before = (metadata.chart_configuration ?? {}) as Record<string, object>
  const inAll = chartsInScope(nodes, all)
  const reached = own ? chartsInScope(nodes, own) : inAll
  const crossFilters = { scope: own ?? 'global', chartsInScope: reached.filter((id) => id !== chartId) }
  return {
    ...metadata,
    chart_configuration: { ...before, [chartId]: { ...before[String(chartId)], id: chartId, crossFilters } },
    global_chart_configuration: { scope: all, chartsInScope: inAll },
  }
}

/** Chooses which charts a click in a chart filters: a custom scope, or the default of all charts. */
export function CrossFilterScope({ chartId, title, onClose }: { chartId: number; title: string; onClose(): void }) {
  const t = useTranslate()
  const metadata = useDashboardState(({ dashboard }) => dashboard.metadata)
  const nodes = useDashboardState(({ dashboard }) => dashboard.layout.nodes)
  const entireDashboard: FilterScope = { rootPath: [rootId], excluded: [] }
  const [first] = useState<Scopes>(() => ({
    own: ownCrossFilterScope({ metadata }, chartId) ?? null,
    all: globalCrossFilterScope({ metadata }) ?? entireDashboard,
  }))
  const [scopes, setScopes] = useState(first)
  const save = useSaveMetadata(
    (before, nextScopes: Scopes) => withCrossScopes(before, nodes, chartId, nextScopes),
    onClose,
  )
  const isOwn = scopes.own !== null
  const scope = scopes.own ?? scopes.all
  const without = isOwn ? [chartId] : []
  const reached = chartsInScope(nodes, scope).filter((id) => !without.includes(id))
  const count = chartsBelow(nodes, rootId).filter((id) => !without.includes(id)).length
  const setChartIds = (ids: number[]): void => {
    const next = buildScope(nodes, isOwn ? [...ids, chartId] : ids, scope)
    setScopes(isOwn ? { ...scopes, own: next } : { ...scopes, all: next })
  }
  return (
    <Dialog
      open
      title={t('dashboard.crossScopeOf', 'Cross-filter scope of “{title}”', { title })}
      dirty={JSON.stringify(scopes) !== JSON.stringify(first)}
      onClose={onClose}
      onSubmit={() => save.mutate(scopes)}
      footer={
        <>
          <Button onClick={onClose}>{t('dashboard.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {t('dashboard.save', 'Save')}
          </Button>
        </>
      }
    >
      <div className={styles.scopes}>
        <SegmentedControl<'all' | 'own'>
          value={isOwn ? 'own' : 'all'}
          onChange={(next) => setScopes({ ...scopes, own: next === 'own' ? (first.own ?? scopes.all) : null })}
          label={t('dashboard.whoseScope', 'Scope')}
          options={[
            { value: 'all', label: t('dashboard.scopeOfAll', 'Default') },
            { value: 'own', label: t('dashboard.scopeOfOwn', 'Custom') },
          ]}
        />
        <Field
          group
          label={
            isOwn
              ? t('dashboard.ownScope', 'Charts filtered by this chart')
              : t('dashboard.globalScope', 'Charts filtered by every chart without a custom scope')
          }
          aside={
            <span className={styles.note}>
              {t('dashboard.scopeCount', '{count, number} of {all, number}', { count: reached.length, all: count })}
            </span>
          }
        >
          <ScopeTree reached={reached} without={without} onChange={setChartIds} />
        </Field>
      </div>
    </Dialog>
  )
}
