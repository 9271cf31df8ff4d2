import { toastError, useTranslate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { messageOf } from '../../shared/errors.ts'
import type { SqlLabActions } from '../actions.ts'
import type { QueryEditor, TableSchema } from '../state.ts'
import { tableDetails, tableExtra, type SqlLabDatabase } from './use-schema.ts'

/** Number of preview rows. */
const previewRows = 100

/** Panels whose metadata is loading; each is requested once, also when its tab is inactive. */
const loadingPanelIds = new Set<string>()

/**
 * Loads the panels of a tab (SQL-070, SQL-071): keys and columns first, then details that only some tables have. A newly opened
 * panel also gets a preview of its rows, where the database allows it (SQL-074).
 */
export function useTablePanels(
  tab: QueryEditor,
  tables: readonly TableSchema[],
  databases: readonly SqlLabDatabase[],
  actions: SqlLabActions,
): { load(table: TableSchema): void; preview(table: TableSchema): void } {
  const t = useTranslate()
  const client = useQueryClient()

  const preview = (table: TableSchema): void => {
    if (table.selectStar === null) return
    actions.run(tab.id, {
      sql: table.selectStar,
      schema: table.schema,
      catalog: table.catalog,
      queryLimit: previewRows,
      preview: table,
    })
  }

  const load = async (table: TableSchema, isNew: boolean): Promise<void> => {
    const { id, dbId, catalog, schema, name } = table
    const schemaRef = { dbId, catalog, schema }
    try {
      const { columns, selectStar, primaryKey, foreignKeys, indexes, comment, rows } = await client.fetchQuery({
        ...tableDetails(schemaRef, name),
        staleTime: 0,
      })
      const loaded: Partial<TableSchema> = {
        columns,
        selectStar,
        primaryKey: primaryKey.column_names.length > 0 ? primaryKey : null,
        foreignKeys,
        indexes,
        comment,
        isMetadataLoading: false,
        extra: { ...(rows != null && { rows }) },
      }
      actions.changeTable(id, loaded)
      const mayPreview = databases.find((database) => database.id === dbId)?.disable_data_preview === false
      if (isNew && mayPreview) preview({ ...table, ...loaded })
      const extra = await client.fetchQuery({ ...tableExtra(schemaRef, name), staleTime: 0 })
      actions.changeTable(id, { extra: { ...loaded.extra, ...extra }, isExtraMetadataLoading: false })
    } catch (error) {
      actions.changeTable(id, { isMetadataLoading: false, isExtraMetadataLoading: false })
      toastError(`${t('sqllab.table.failed', 'An error occurred while fetching table metadata')}: ${messageOf(error)}`)
    } finally {
      loadingPanelIds.delete(id)
    }
  }

  const startLoading = useEffectEvent((table: TableSchema) => {
    loadingPanelIds.add(table.id)
    void load(table, table.tableStateId === null)
  })
  useEffect(() => {
    for (const table of tables) if (table.isMetadataLoading && !loadingPanelIds.has(table.id)) startLoading(table)
  }, [tables])

  return {
    load: (table) => {
      actions.changeTable(table.id, { isMetadataLoading: false, isExtraMetadataLoading: true })
      void load(table, false)
    },
    preview,
  }
}
