import { EmptyState, ErrorPanel, Icon, IconButton, Select, Skeleton, TextInput, useText } from '@parquetry/ui'
import { useState } from 'react'
import { messageOf } from '../../shared/errors.ts'
import type { KnownTable } from '../editor/completion.ts'
import { usualSchema } from '../../shared/usual-schema.ts'
import type { QueryEditor, SqlLabActions, TableSchema } from '../tabs.ts'
import { useSchemas, useTables, type DatabaseRow } from './use-schema.ts'
import styles from '../SqlLab.module.css'

export interface SchemaBrowserProps {
  tab: QueryEditor
  databases: readonly DatabaseRow[]
  /** Panels of the tab, newest first. */
  tables: readonly TableSchema[]
  actions: SqlLabActions
}

/** Database, schema and the tables in it; a table opens to its columns, and its name goes into the text by Enter or a click on +. */
export function SchemaBrowser({ tab, databases, actions }: SchemaBrowserProps) {
  const { dbId } = tab
  const schemas = useSchemas(dbId)
  const schema = tab.schema && schemas.data?.includes(tab.schema) ? tab.schema : usualSchema(schemas.data)
  const tables = useTables(dbId, schema)
  const onDatabase = (id: number): void => actions.change(tab.id, { dbId: id, catalog: null, schema: null })
  const onSchema = (name: string): void => actions.change(tab.id, { schema: name })
  const onInsert = (text: string): void => actions.insert(text)
  const t = useText()
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const shown = tables.known.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))

  const toggle = (name: string): void => {
    tables.want([name])
    setOpen((now) => (now.has(name) ? new Set([...now].filter((other) => other !== name)) : new Set(now).add(name)))
  }

  return (
    <nav className={styles.browser} aria-label={t('sqllab.schema.label', 'Tables')}>
      <Select
        aria-label={t('sqllab.schema.database', 'Database')}
        value={dbId === null ? null : String(dbId)}
        onChange={(value) => value && onDatabase(Number(value))}
        options={databases.map(({ id, database_name }) => ({ value: String(id), label: database_name }))}
      />
      <Select
        aria-label={t('sqllab.schema.schema', 'Schema')}
        value={schema}
        onChange={(value) => value && onSchema(value)}
        options={(schemas.data ?? []).map((name) => ({ value: name, label: name }))}
      />
      <TextInput
        aria-label={t('sqllab.schema.search', 'Search tables')}
        placeholder={t('sqllab.schema.search', 'Search tables')}
        value={search}
        onChange={setSearch}
      />
      {tables.tables.isError ? (
        <ErrorPanel inline onRetry={() => void tables.tables.refetch()}>
          {messageOf(tables.tables.error)}
        </ErrorPanel>
      ) : tables.tables.isPending && dbId !== null ? (
        <Bones count={6} />
      ) : shown.length === 0 ? (
        <EmptyState
          inline
          level={3}
          title={search ? t('sqllab.schema.nothing', 'Nothing matches') : t('sqllab.schema.none', 'No tables here')}
        />
      ) : (
        <ul className={styles.tables}>
          {shown.map((table) => (
            <TableEntry
              key={table.name}
              table={table}
              isOpen={open.has(table.name)}
              onToggle={() => toggle(table.name)}
              onInsert={onInsert}
            />
          ))}
        </ul>
      )}
    </nav>
  )
}

interface TableEntryProps {
  table: KnownTable
  isOpen: boolean
  onToggle(): void
  onInsert(text: string): void
}

function TableEntry({ table: { name, columns }, isOpen, onToggle, onInsert }: TableEntryProps) {
  const t = useText()
  return (
    <li>
      <div className={styles.table}>
        <button type="button" className={styles.tableName} aria-expanded={isOpen} onClick={onToggle}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <Icon name="table" />
          <span>{name}</span>
        </button>
        <IconButton
          icon="plus"
          label={t('sqllab.schema.select', 'Insert SELECT from {name}', { name })}
          onClick={() => onInsert(`SELECT *\nFROM ${name}\nLIMIT 100`)}
        />
      </div>
      {isOpen &&
        (columns ? (
          <ul className={styles.columns}>
            {columns.map((column) => (
              <li key={column.name}>
                <button type="button" onClick={() => onInsert(column.name)}>
                  <span>{column.name}</span>
                  <span className={styles.type}>{column.type.toLowerCase()}</span>
                </button>
              </li>
            ))}
          </ul>
        ) : (
          <Bones count={3} />
        ))}
    </li>
  )
}

const Bones = ({ count }: { count: number }) => (
  <div className={styles.bones} aria-busy>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} width={`${80 - ((index * 17) % 40)}%`} />
    ))}
  </div>
)
