import {
  IconButton,
  Select,
  SplitPane,
  TextInput,
  toastError,
  useCopy,
  useTranslate,
  type MenuItem,
} from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { messageOf } from '../../shared/errors.ts'
import { useDebounced } from '../../shared/use-debounced.ts'
import { defaultSchema } from '../../shared/default-schema.ts'
import { dialectOf, quoteName } from '../editor/dialects.ts'
import type { SqlLabActions } from '../actions.ts'
import type { QueryEditor, TableSchema } from '../state.ts'
import { TableTree } from './TableTree.tsx'
import { useTablePanels } from './use-table-panels.ts'
import {
  refreshSchema,
  tableDetails,
  useCatalogs,
  useSchemas,
  type SqlLabDatabase,
  type SchemaRef,
} from './use-schema.ts'
import styles from './browser.module.css'

const TablePanel = lazyComponent(async () => (await import('./TablePanel.tsx')).TablePanel)

export interface SchemaBrowserProps {
  tab: QueryEditor
  databases: readonly SqlLabDatabase[]
  /** Panels of the tab, newest first. */
  tables: readonly TableSchema[]
  actions: SqlLabActions
}

/** Database, catalog and schema, its tables, and the panels of opened tables. */
export function SchemaBrowser({ tab, databases, tables, actions }: SchemaBrowserProps) {
  const t = useTranslate()
  const client = useQueryClient()
  const copy = useCopy()
  const [search, setSearch] = useState('')
  const [isReading, setReading] = useState(false)
  const debouncedSearch = useDebounced(search.trim(), 250)
  const { dbId } = tab
  const database = databases.find(({ id }) => id === dbId)
  const dialect = dialectOf(database?.backend ?? null)
  const quote = (name: string): string => quoteName(name, dialect)

  const catalogs = useCatalogs(dbId)
  const catalog = tab.catalog && catalogs.data?.includes(tab.catalog) ? tab.catalog : null
  const schemas = useSchemas(dbId, catalog)
  const schema = tab.schema && schemas.data?.includes(tab.schema) ? tab.schema : defaultSchema(schemas.data)
  const schemaRef = useMemo<SchemaRef | null>(
    () => (dbId === null || schema === null ? null : { dbId, catalog, schema }),
    [dbId, catalog, schema],
  )
  const panels = useTablePanels(tab, tables, databases, actions)
  const mayPreview = database?.disable_data_preview === false

  const refresh = async (): Promise<void> => {
    if (dbId === null) return
    setReading(true)
    try {
      await refreshSchema({ dbId, catalog, schema })
      await client.invalidateQueries({ queryKey: ['database', dbId] })
    } catch (error) {
      toastError(messageOf(error))
    } finally {
      setReading(false)
    }
  }

  const withSelect = (table: string, use: (sql: string) => void): void => {
    if (!schemaRef) return
    client.fetchQuery(tableDetails(schemaRef, table)).then(
      ({ selectStar }) => use(selectStar),
      (error: unknown) =>
        toastError(
          `${t('sqllab.table.failed', 'An error occurred while fetching table metadata')}: ${messageOf(error)}`,
        ),
    )
  }
  const openPanel = (name: string): string => actions.addTable(tab.id, { catalog, schema, name })
  const menuOf = (table: string): MenuItem[] => [
    {
      label: t('sqllab.schema.insertSelect', 'Insert SELECT'),
      icon: 'sql',
      onSelect: () => withSelect(table, actions.insert),
    },
    {
      label: t('sqllab.schema.insertName', 'Insert name'),
      shortcut: 'Enter',
      onSelect: () => actions.insert(quote(table)),
    },
    'divider',
    {
      label: mayPreview
        ? t('sqllab.schema.openWithPreview', 'Show details and preview')
        : t('sqllab.schema.openPanel', 'Show details'),
      icon: 'columns',
      onSelect: () => void openPanel(table),
    },
    {
      label: t('sqllab.schema.copyName', 'Copy name'),
      icon: 'copy',
      onSelect: () => copy(quote(table), t('sqllab.schema.nameCopied', 'Name copied')),
    },
    {
      label: t('sqllab.table.copySelect', 'Copy SELECT'),
      onSelect: () => withSelect(table, (sql) => copy(sql, t('sqllab.table.selectCopied', 'SELECT copied'))),
    },
    'divider',
    { label: t('sqllab.table.refresh', 'Refresh'), icon: 'refresh', onSelect: () => void refresh() },
  ]

  const tree = (
    <TableTree
      key={JSON.stringify(schemaRef)}
      schemaRef={schemaRef}
      search={debouncedSearch}
      quote={quote}
      onInsert={actions.insert}
      menuOf={menuOf}
    />
  )

  return (
    <nav className={styles.browser} aria-label={t('sqllab.schema.browser', 'Schema browser')} data-pane>
      <Select
        aria-label={t('sqllab.schema.database', 'Database')}
        icon="database"
        value={dbId === null ? null : String(dbId)}
        onChange={(value) => value && actions.change(tab.id, { dbId: Number(value), catalog: null, schema: null })}
        options={databases.map(({ id, database_name, backend }) => ({
          value: String(id),
          label: database_name,
          note: backend,
        }))}
      />
      {(catalogs.data?.length ?? 0) > 0 && (
        <Select
          aria-label={t('sqllab.schema.catalog', 'Catalog')}
          prefix={t('sqllab.schema.catalog', 'Catalog')}
          value={catalog}
          onChange={(value) => actions.change(tab.id, { catalog: value, schema: null })}
          options={(catalogs.data ?? []).map((name) => ({ value: name, label: name }))}
          clearable
        />
      )}
      <div className={styles.line}>
        <Select
          aria-label={t('sqllab.schema.schema', 'Schema')}
          value={schema}
          onChange={(value) => value && actions.change(tab.id, { schema: value })}
          options={(schemas.data ?? []).map((name) => ({ value: name, label: name }))}
          {...(schemas.isError && { disabledReason: messageOf(schemas.error) })}
        />
        <IconButton
          icon="refresh"
          label={t('sqllab.schema.refresh', 'Refresh schema')}
          busy={isReading}
          onClick={() => void refresh()}
        />
      </div>
      {schemas.isError && <p className={styles.wrongBlock}>{messageOf(schemas.error)}</p>}
      <TextInput
        icon="search"
        aria-label={t('sqllab.schema.search', 'Search tables')}
        placeholder={t('sqllab.schema.search', 'Search tables')}
        value={search}
        onChange={setSearch}
        clearable
      />
      {tables.length === 0 ? (
        tree
      ) : (
        <div className={styles.split}>
          <SplitPane
            name="sqllab.panels"
            label={t('sqllab.schema.split', 'Resize table details')}
            direction="column"
            sized="second"
            size={260}
            min={80}
            first={tree}
            second={
              <section className={styles.panels} aria-label={t('sqllab.schema.panels', 'Table details')}>
                <Suspense>
                  {tables.map((table) => (
                    <TablePanel
                      key={table.id}
                      table={table}
                      mayPreview={databases.find(({ id }) => id === table.dbId)?.disable_data_preview === false}
                      quote={quote}
                      onExpand={(expanded) => actions.changeTable(table.id, { expanded })}
                      onRemove={() => actions.removeTable(table.id)}
                      onRefresh={() => panels.load(table)}
                      onPreview={() => panels.preview(table)}
                      onInsert={actions.insert}
                    />
                  ))}
                </Suspense>
              </section>
            }
          />
        </div>
      )}
    </nav>
  )
}
