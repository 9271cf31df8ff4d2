import { describe, expect, it } from 'vitest'
import { joinDocument, splitDocument } from './other-fields.ts'

const column = { column_name: 'day', type: 'DATE', later: { a: [1] }, extra: 'no object' }
const metric = { metric_name: 'n', expression: 'count(*)', currency: { symbol: 'EUR', position: 'after' } }

describe('fields that Superset refuses', () => {
  it.each([
    [
      'databases/lab.yaml',
      { extra: { zone: 'UTC', cost_estimate_enabled: true, engine_params: { any: { key: 1 } } }, owner: 'me' },
      { extra: { zone: 'UTC' }, owner: 'me' },
    ],
    ['databases/lab.yaml', { extra: { schemas_allowed_for_file_upload: ['a'] } }, {}],
    ['databases/lab.yaml', { extra: { schemas_allowed_for_csv_upload: '["a"]' }, allow_file_upload: true }, {}],
    [
      'databases/lab.yaml',
      { extra: { schemas_allowed_for_csv_upload: '[1' } },
      { extra: { schemas_allowed_for_csv_upload: '[1' } },
    ],
    [
      'databases/lab.yaml',
      { extra: { metadata_cache_timeout: { schema_cache_timeout: 600, table_cache_timeout: null } } },
      { extra: { metadata_cache_timeout: { table_cache_timeout: null } } },
    ],
    ['databases/lab.yaml', { extra: 'no JSON', cache_timeout: null }, { extra: 'no JSON' }],
    [
      'databases/lab.yaml',
      { extra: { schemas_allowed_for_csv_upload: ['a', 1], version: null, allow_multi_catalog: null } },
      { extra: { schemas_allowed_for_csv_upload: ['a', 1], allow_multi_catalog: null } },
    ],
    [
      'databases/lab.yaml',
      { configuration_method: 'by hand', impersonate_user: true },
      { configuration_method: 'by hand' },
    ],
    ['databases/lab.yaml', { configuration_method: 'dynamic_form', ssh_tunnel: null }, {}],
    [
      'datasets/lab/cars.yaml',
      { columns: [{ column_name: 'id' }, column], metrics: [metric], offset: 0, params: 'no JSON' },
      {
        columns: { day: { later: { a: [1] }, extra: 'no object' } },
        metrics: { n: { currency: { position: 'after' } } },
        params: 'no JSON',
      },
    ],
    ['datasets/lab/cars.yaml', { columns: [column, 'no column'] }, { columns: [column, 'no column'] }],
    ['charts/a.yaml', { params: { any: { key: [1] } }, tags: ['a'], owners: [1] }, { owners: [1] }],
    ['charts/a.yaml', { tags: [1] }, { tags: [1] }],
    ['dashboards/a.yaml', { metadata: { any: 1 }, position: {}, toString: 1 }, { toString: 1 }],
    ['queries/lab/a.yaml', { label: null, sql: 'select 1', template_parameters: '{}' }, { template_parameters: '{}' }],
    ['themes/a.yaml', { json_data: [1], algorithm: 'dark' }, { algorithm: 'dark' }],
    // Superset ignores these folders.
    ['css_templates/a.yaml', { css: 'a {}', later: 1 }, {}],
    ['tags.yaml', { tags: [], later: 1 }, {}],
  ])('are taken out of %s %j, and joined again', (path, document, expected) => {
    const { accepted, others } = splitDocument(path, document)
    expect(others).toEqual(expected)
    expect(joinDocument(accepted, others)).toEqual(document)
    expect(splitDocument(path, accepted)).toEqual({ accepted, others: {} })
  })

  it('follow the entries of a list that someone has sorted, and yield to what someone has added', () => {
    const { accepted, others } = splitDocument('datasets/a/b.yaml', {
      columns: [column, { column_name: 'id' }],
      later: 1,
    })
    const [day, id] = accepted['columns'] as object[]
    expect(joinDocument({ later: 2, columns: [id, { ...day, extra: {} }] }, others)).toEqual({
      later: 2,
      columns: [{ column_name: 'id' }, { ...column, extra: {} }],
    })
    expect(joinDocument({ columns: [id] }, others)).toEqual({ later: 1, columns: [id] })
  })

  it('cannot change the prototype of a document', () => {
    const others = JSON.parse('{"__proto__": {"database_uuid": "x"}, "constructor": {"a": 1}}') as Record<
      string,
      unknown
    >
    const joined = joinDocument({ a: 1 }, others)
    expect([Object.getPrototypeOf(joined), joined['database_uuid']]).toEqual([Object.prototype, undefined])
    expect(joined['constructor']).toEqual({ a: 1 })
  })
})
