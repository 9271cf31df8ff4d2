import type { SourceColumn } from '@parquetry/model'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  buildDatasetPatch,
  newColumn,
  newMetric,
  validateDocument,
  findRemovedNames,
  findRenames,
  type DatasetDocument,
} from './document.ts'
import {
  clearDatasetDraft,
  isDatasetDirty,
  storeDatasetDraft,
  mainTimeField,
  readDatasetDraft,
  reduceDatasetDraft,
  startDatasetDraft,
  type DatasetChange,
} from './draft.ts'
import { listChangedExpressions } from './changed-expressions.ts'
import { readExtra, writeExtra } from './extra.ts'
import { parseFolders, normalizeFolderPath, buildFolders } from './folders.ts'
import { diffSource, hasUserMetadata, applySync } from './sync.ts'

const column = (column_name: string, more: object = {}) => ({
  ...newColumn(column_name),
  key: `k-${column_name}`,
  id: 1,
  isCalculated: false,
  type: 'VARCHAR',
  type_generic: 1,
  ...more,
})
const metric = (metric_name: string, more: object = {}) => ({
  ...newMetric(metric_name),
  key: `m-${metric_name}`,
  id: 1,
  expression: 'COUNT(*)',
  ...more,
})
const document = (more: Partial<DatasetDocument> = {}): DatasetDocument => ({
  table_name: 'orders',
  database_id: 1,
  catalog: '',
  schema: 'main',
  sql: null,
  description: '',
  main_dttm_col: 'day',
  offset: '0',
  cache_timeout: '',
  default_endpoint: '',
  fetch_values_predicate: '',
  template_params: '',
  filter_select_enabled: true,
  always_filter_main_dttm: false,
  normalize_columns: false,
  editors: [
    {
      id: 5,
      name: 'Ana',
    },
  ],
  ...readExtra(null),
  folders: [],
  columns: [
    column('day', {
      is_dttm: true,
      type: 'DATE',
      type_generic: 2,
    }),
    column('region'),
  ],
  metrics: [metric('count')],
  ...more,
})
const after = (...changes: DatasetChange[]) => changes.reduce(reduceDatasetDraft, startDatasetDraft(document(), 'v1'))
const cell = (key: string, field: string, value: string | boolean): DatasetChange => ({
  type: 'cells',
  kind: 'columns',
  edits: [{ key, field, value }],
})

describe('a draft', () => {
  it('undoes and redoes, and is clean once it equals its base', () => {
    const edited = after(cell('k-region', 'verbose_name', 'Region'), cell('k-region', 'description', 'Where'))
    expect(isDatasetDirty(edited)).toBe(true)
    const undone = reduceDatasetDraft(reduceDatasetDraft(edited, { type: 'undo' }), { type: 'undo' })
    expect(isDatasetDirty(undone)).toBe(false)
    const again = reduceDatasetDraft(undone, { type: 'redo' })
    expect(again.now.columns[1]).toMatchObject({ verbose_name: 'Region', description: '' })
  })
  it('treats typing in one field as one step', () => {
    const typed = after(
      { type: 'set', fields: { description: 'a' } },
      { type: 'set', fields: { description: 'ab' } },
      { type: 'set', fields: { table_name: 'o' } },
    )
    expect(typed.past).toHaveLength(2)
    expect(reduceDatasetDraft(reduceDatasetDraft(typed, { type: 'undo' }), { type: 'undo' }).now.description).toBe('')
  })
  it('has one main time column, which follows renames', () => {
    expect(after(cell('k-day', 'column_name', 'order_day')).now.main_dttm_col).toBe('order_day')
    expect(after(cell('k-region', mainTimeField, true)).now.main_dttm_col).toBe('region')
    expect(after(cell('k-day', mainTimeField, false)).now.main_dttm_col).toBe('')
  })
  describe('in browser storage', () => {
    const kept = new Map<string, string>()
    beforeEach(() => {
      kept.clear()
      vi.stubGlobal('localStorage', {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => void kept.set(key, value),
        removeItem: (key: string) => void kept.delete(key),
      } satisfies Partial<Storage>)
    })
    it('survives a reload with its base, and can be undone', () => {
      storeDatasetDraft(7, 1, after(cell('k-region', 'verbose_name', 'Region')))
      const back = readDatasetDraft(7, 1)
      expect(back).toMatchObject({ from: 'v1' })
      expect(back?.now.columns[1]?.verbose_name).toBe('Region')
      expect(back && isDatasetDirty(reduceDatasetDraft(back, { type: 'undo' }))).toBe(false)
      kept.set('parquetry.dataset.draft.7.1', '{"document":1}')
      expect(readDatasetDraft(7, 1)).toBeNull()
    })
    it('belongs to its author: another user of the same browser has none, or their own', () => {
      const [hers, his] = ['Hers', 'His'].map((name) => after(cell('k-region', 'verbose_name', name)))
      storeDatasetDraft(7, 1, hers!)
      expect(readDatasetDraft(7, 2)).toBeNull()
      storeDatasetDraft(7, 2, his!)
      clearDatasetDraft(7, 2)
      expect(readDatasetDraft(7, 1)?.now.columns[1]?.verbose_name).toBe('Hers')
    })
  })
})

describe('saved changes', () => {
  it('contain only what changed; columns are sent whole, because omitted ones are removed', () => {
    const { base, now } = after(cell('k-region', 'verbose_name', 'Region'))
    expect(Object.keys(buildDatasetPatch(base, now))).toEqual(['columns'])
    expect(buildDatasetPatch(base, now).columns).toHaveLength(2)
    expect(buildDatasetPatch(base, base)).toEqual({})
    const moved = after({ type: 'set', fields: { offset: '-3', cache_timeout: '-1', description: ' ' } })
    expect(buildDatasetPatch(moved.base, moved.now)).toEqual({ offset: -3, cache_timeout: -1 })
  })
  it('give new columns and metrics a uuid, which folders reference in the same call', () => {
    const added = { ...newColumn('decade'), expression: '1', folder: 'Time' }
    const { base, now } = after({ type: 'children', kind: 'columns', children: [...document().columns, added] })
    const body = buildDatasetPatch(base, now)
    expect(body.columns?.at(-1)).toMatchObject({ uuid: added.key, expression: '1' })
    expect(body.folders).toEqual([
      {
        uuid: expect.any(String) as string,
        type: 'folder',
        name: 'Time',
        children: [{ uuid: added.key, type: 'column' }],
      },
    ])
  })
  it('list renamed and removed names', () => {
    const { base, now } = after(cell('k-region', 'column_name', 'area'))
    expect([...findRenames(base.columns, now.columns)]).toEqual([['region', 'area']])
    expect(findRemovedNames(base.columns, now.columns.slice(0, 1))).toEqual(['region'])
  })
  it('DSET-046: are blocked by empty or duplicate names, missing SQL, and invalid values', () => {
    expect(validateDocument(document())).toEqual([])
    const wrong = document({
      columns: [
        column('a'),
        {
          ...column('a'),
          key: 'other',
        },
        {
          ...newColumn(''),
          key: 'new',
        },
      ],
      metrics: [metric('m', { expression: ' ' })],
      offset: 'x',
      cache_timeout: '-5',
      template_params: '[1]',
      default_endpoint: 'https://x',
      table_name: ' ',
    })
    expect(validateDocument(wrong).map(({ field, key, problem }) => [field, key, problem])).toEqual([
      ['table_name', undefined, 'empty'],
      ['columns', 'k-a', 'twice'],
      ['columns', 'other', 'twice'],
      ['columns', 'new', 'empty'],
      ['columns', 'new', 'expression'],
      ['metrics', 'm-m', 'expression'],
      ['offset', undefined, 'number'],
      ['cache_timeout', undefined, 'number'],
      ['template_params', undefined, 'json'],
      ['default_endpoint', undefined, 'address'],
    ])
  })
  it('preserve unknown fields of `extra`', () => {
    const text = '{"certification":{"certified_by":"Ana","details":"x"},"warning_markdown":"w","own":{"kept":1}}'
    const read = readExtra(text)
    expect(read).toMatchObject({ certified_by: 'Ana', certification_details: 'x', warning_markdown: 'w' })
    expect(JSON.parse(writeExtra(read) ?? '')).toEqual(JSON.parse(text))
    expect(writeExtra(readExtra(null))).toBeNull()
  })
})

describe('folders', () => {
  const stored = [
    {
      uuid: 'f1',
      type: 'folder' as const,
      name: 'Sales',
      description: 'money',
      children: [
        {
          uuid: 'f2',
          type: 'folder' as const,
          name: 'Net',
          children: [
            {
              uuid: 'a',
              type: 'column' as const,
            },
          ],
        },
      ],
    },
  ]
  it('are paths in the sheet, and are restored with their uuids and descriptions', () => {
    const { known, paths } = parseFolders(stored)
    expect(paths.get('a')).toBe('Sales / Net')
    expect(buildFolders([{ key: 'a', folder: 'Sales / Net', type: 'column' }], known)).toEqual(stored)
    expect(buildFolders([{ key: 'a', folder: 'Sales', type: 'column' }], known)).toEqual([
      { uuid: 'f1', type: 'folder', name: 'Sales', description: 'money', children: [{ uuid: 'a', type: 'column' }] },
    ])
    expect(buildFolders([{ key: 'a', folder: '', type: 'column' }], known)).toEqual([])
    expect(normalizeFolderPath(' Sales/Net /')).toBe('Sales / Net')
  })
})

describe('source sync', () => {
  const source = (name: string, type = 'VARCHAR'): SourceColumn => ({
    name,
    type,
    type_generic: 1,
    is_dttm: false,
    comment: null,
  })
  it('reports new, missing and retyped columns; calculated columns are ignored', () => {
    const now = document({ columns: [...document().columns, { ...newColumn('calc'), expression: '1' }] })
    const diff = diffSource(now, [source('area'), source('day', 'TIMESTAMP')])
    expect(diff.added.map(({ name }) => name)).toEqual(['area'])
    expect(diff.removed.map(({ column_name }) => column_name)).toEqual(['region'])
    expect(diff.changed.map(({ column: { type }, now: { type: to } }) => [type, to])).toEqual([['DATE', 'TIMESTAMP']])
  })
  it('never discards user metadata on its own: a missing column can stay, or its metadata moves to a new one', () => {
    const region = column('region', { verbose_name: 'Region', description: 'Where' })
    const now = document({ columns: [column('day', { type: 'DATE' }), region], main_dttm_col: 'region' })
    expect(hasUserMetadata(region)).toBe(true)
    const diff = diffSource(now, [source('area'), source('day', 'DATE')])
    const names = (fate: Parameters<typeof applySync>[2]) =>
      applySync(now, diff, fate).columns.map(({ column_name }) => column_name)
    expect(names(() => ({ kind: 'keep' }))).toEqual(['day', 'region', 'area'])
    expect(names(() => ({ kind: 'remove' }))).toEqual(['day', 'area'])
    const moved = applySync(now, diff, () => ({ kind: 'move', to: 'area' }))
    expect(moved.columns.map(({ key, column_name, verbose_name }) => [key, column_name, verbose_name])).toEqual([
      ['k-day', 'day', ''],
      ['k-region', 'area', 'Region'],
    ])
    expect(moved.main_dttm_col).toBe('area')
  })
})

describe('expressions to check before saving', () => {
  const calculated = (expression: string, more: object = {}) =>
    column('calc', { isCalculated: true, expression, ...more })
  const changed = (before: DatasetDocument, now: DatasetDocument) =>
    listChangedExpressions({ ...startDatasetDraft(before, ''), now })

  it('regression: are those of new and changed calculated columns and metrics', () => {
    const before = document({ columns: [calculated('1')], metrics: [metric('count'), metric('sum')] })
    expect(changed(before, before)).toEqual([])
    const now = document({
      columns: [calculated('upper(region'), column('source', { expression: '' })],
      metrics: [metric('count', { metric_name: 'renamed' }), metric('sum', { expression: 'SUM(x' }), metric('new')],
    })
    expect(changed(before, now)).toEqual([
      { name: 'calc', kind: 'column', sql: 'upper(region' },
      { name: 'sum', kind: 'metric', sql: 'SUM(x' },
      { name: 'new', kind: 'metric', sql: 'COUNT(*)' },
    ])
  })
  it('are none if the source changes too, since only the stored one could be asked', () => {
    const before = document({ columns: [calculated('1')] })
    expect(changed(before, document({ columns: [calculated('2')], sql: 'SELECT 1' }))).toEqual([])
  })
})
