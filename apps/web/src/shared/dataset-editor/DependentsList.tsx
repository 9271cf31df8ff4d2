import type { DatasetUsage } from '@parquetry/model'
import { Link, StatusChip, useTranslate } from '@parquetry/ui'
import type { SheetKind } from './document.ts'
import styles from './editor.module.css'

/** One chart or filter that names a column or metric. */
export interface Dependent {
  kind: 'chart' | 'filter'
  id: number
  name: string
  href: string
  owners: string[]
  mayEdit: boolean
  /** Used in custom SQL, which a rename does not update. */
  bySql: boolean
}

export interface Dependents {
  items: Dependent[]
  hidden: number
}

/** Finds the charts and filters that break when a column or metric is removed. */
export function findDependents(
  { charts, dashboards, hidden }: DatasetUsage,
  kind: SheetKind,
  name: string,
): Dependents {
  return {
    items: [
      ...charts
        .filter((chart) => chart[kind].includes(name) || chart.mentioned.includes(name))
        .map((chart): Dependent => ({
          kind: 'chart',
          id: chart.id,
          name: chart.slice_name,
          href: `/explore/?slice_id=${chart.id}`,
          owners: chart.owners,
          mayEdit: chart.may_edit,
          bySql: !chart[kind].includes(name),
        })),
      ...dashboards.flatMap((dashboard) =>
        dashboard.filters
          .filter((filter) => filter[kind].includes(name))
          .map((filter): Dependent => ({
            kind: 'filter',
            id: dashboard.id,
            name: `${dashboard.title ?? String(dashboard.id)}: ${filter.name}`,
            href: `/superset/dashboard/${dashboard.id}/`,
            owners: [],
            mayEdit: dashboard.may_edit,
            bySql: false,
          })),
      ),
    ],
    hidden: hidden[kind][name] ?? 0,
  }
}

const maxShown = 12

/** Lists the charts and filters by name with their owners, and counts the ones not listed. */
export function DependentsList({ users: { items, hidden } }: { users: Dependents }) {
  const t = useTranslate()
  return (
    <section className={styles.users}>
      <h3>
        {t(
          'dataset.usedBy',
          '{n, plural, =0 {Not used yet} one {Used by # chart or filter} other {Used by # charts and filters}}',
          {
            n: items.length + hidden,
          },
        )}
      </h3>
      {items.length > 0 && (
        <ul>
          {items.slice(0, maxShown).map((user, index) => (
            <li key={index}>
              <Link href={user.href}>{user.name}</Link>
              {user.kind === 'filter' && <StatusChip icon="filter">{t('dataset.filterOf', 'Filter')}</StatusChip>}
              {user.bySql && <StatusChip icon="sql">{t('dataset.bySql', 'In SQL')}</StatusChip>}
              {!user.mayEdit && user.owners.length > 0 && (
                <span className={styles.whose}>{user.owners.join(', ')}</span>
              )}
            </li>
          ))}
          {items.length > maxShown && <li>{t('dataset.more', 'and {n} more', { n: items.length - maxShown })}</li>}
        </ul>
      )}
      {hidden > 0 && (
        <p className={styles.whose}>
          {t(
            'dataset.hiddenUsers',
            '{n, plural, one {# chart you don’t have access to} other {# charts you don’t have access to}}',
            {
              n: hidden,
            },
          )}
        </p>
      )}
    </section>
  )
}
