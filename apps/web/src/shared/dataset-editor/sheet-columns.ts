import type { Translate } from '@parquetry/ui'
import { mainTimeField } from './draft.ts'
import type { DatasetDocument, EditedColumn, EditedMetric } from './document.ts'
import { normalizeFolderPath } from './folders.ts'
import type { SheetColumn } from './sheet.ts'

const text = <Row>(id: keyof Row & string, header: string, width: number, more: Partial<SheetColumn<Row>> = {}) => ({
  id,
  header,
  width,
  kind: 'text' as const,
  get: (row: Row) => String(row[id] ?? ''),
  ...more,
})
const check = <Row>(id: keyof Row & string, header: string, more: Partial<SheetColumn<Row>> = {}) => ({
  id,
  header,
  width: 72,
  kind: 'check' as const,
  get: (row: Row) => row[id] === true,
  ...more,
})

export function buildColumnSheet(t: Translate, { sql, main_dttm_col }: DatasetDocument): SheetColumn<EditedColumn>[] {
  return [
    text('column_name', t('dataset.column.name', 'Name'), 176, {
      mono: true,
      // A table fixes the names of its columns; those of a query may have changed.
      isReadOnly: ({ isCalculated }) => !isCalculated && sql === null,
    }),
    {
      id: 'type',
      header: t('dataset.column.type', 'Type'),
      width: 112,
      kind: 'read',
      mono: true,
      get: ({ type }) => type,
    },
    text('verbose_name', t('dataset.column.label', 'Label'), 176),
    text('description', t('dataset.column.description', 'Description'), 224),
    check('is_dttm', t('dataset.column.time', 'Time')),
    {
      id: mainTimeField,
      header: t('dataset.column.main', 'Main time'),
      width: 80,
      kind: 'check',
      get: ({ column_name }) => column_name !== '' && column_name === main_dttm_col,
      isReadOnly: ({ is_dttm }) => !is_dttm,
    },
    check('filterable', t('dataset.column.filter', 'Filter')),
    check('groupby', t('dataset.column.group', 'Group')),
    text('folder', t('dataset.column.folder', 'Folder'), 128, { parse: normalizeFolderPath }),
    text('certified_by', t('dataset.column.certified', 'Certified by'), 120),
    text('expression', t('dataset.column.expression', 'SQL'), 160, {
      mono: true,
      isReadOnly: ({ isCalculated }) => !isCalculated,
    }),
  ]
}

export function buildMetricSheet(t: Translate): SheetColumn<EditedMetric>[] {
  return [
    text('metric_name', t('dataset.column.name', 'Name'), 176, { mono: true }),
    text('expression', t('dataset.column.expression', 'SQL'), 224, { mono: true }),
    text('verbose_name', t('dataset.column.label', 'Label'), 176),
    text('description', t('dataset.column.description', 'Description'), 224),
    text('d3format', t('dataset.column.format', 'Format'), 104, { mono: true }),
    text('currency_symbol', t('dataset.column.currency', 'Currency'), 80, {
      parse: (typed) => typed.trim().toUpperCase(),
    }),
    text('folder', t('dataset.column.folder', 'Folder'), 128, { parse: normalizeFolderPath }),
    text('certified_by', t('dataset.column.certified', 'Certified by'), 120),
  ]
}
