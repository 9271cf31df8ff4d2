import { Button, EmptyState, Link, useTranslate } from '@parquetry/ui'
import { formatDuration } from '../../shared/format-duration.ts'
import { can } from '../../shared/rights.ts'
import type { SqlLabActions } from '../actions.ts'
import { findDatabase } from '../lab.ts'
import { createdTableName } from '../queries.ts'
import type { Query, QueryEditor } from '../state.ts'
import { computeDuration } from './result-facts.ts'

export interface StatementRanProps {
  tab: QueryEditor
  query: Query
  actions: Pick<SqlLabActions, 'addTable' | 'queryCreatedTable' | 'createTableChart'>
}

const canCreateDatasets = can('can_write', 'Dataset')

/** A run without rows. For a new table or view it leads to its rows, its details and a chart. */
export function StatementRan({ tab, query, actions }: StatementRanProps) {
  const t = useTranslate()
  const ms = computeDuration(query)
  const duration = ms !== null && formatDuration(ms)
  if (!query.ctas)
    return <EmptyState title={t('sqllab.result.ran', 'The statement ran and returned no rows')}>{duration}</EmptyState>
  const name = createdTableName(query)
  return (
    <EmptyState
      title={
        query.ctas_method === 'VIEW'
          ? t('sqllab.result.viewMade', 'View {name} created', { name })
          : t('sqllab.result.tableMade', 'Table {name} created', { name })
      }
      actions={
        <>
          <Button icon="sql" variant="primary" onClick={() => actions.queryCreatedTable(query.id)}>
            {t('sqllab.result.queryTable', 'Query in new tab')}
          </Button>
          <Button
            icon="table"
            onClick={() =>
              actions.addTable(tab.id, {
                catalog: query.catalog,
                schema: query.view?.tempSchema ?? query.schema,
                name,
              })
            }
          >
            {t('sqllab.result.openTable', 'Show details')}
          </Button>
          {canCreateDatasets && (
            <Button icon="chart" onClick={() => actions.createTableChart(query.id)}>
              {t('sqllab.result.chart', 'Create chart')}
            </Button>
          )}
        </>
      }
    >
      {duration}
      {query.ctas_method !== 'VIEW' && findDatabase(query.dbId)?.backend === 'duckdb' && (
        <p>
          <Link href="/upload/tables/">{t('sqllab.result.manageTables', 'Rename or remove your tables')}</Link>
        </p>
      )}
    </EmptyState>
  )
}
