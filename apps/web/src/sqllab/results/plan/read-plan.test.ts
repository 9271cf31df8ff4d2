import { buildColumn, type Frame } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { isPlan } from './is-plan.ts'
import type { PlanNode } from './plan.ts'
import { readPlan } from './read-plan.ts'

const frameOf = (columns: Record<string, (string | number)[]>): Frame => ({
  rows: Object.values(columns)[0]?.length ?? 0,
  columns: Object.entries(columns).map(([name, values]) => buildColumn(values, name)),
})

/** The tree as indented lines: name, then what the engine says about rows, cost and time. */
const outline = (nodes: readonly PlanNode[], depth = 0): string[] =>
  nodes.flatMap(({ name, estimatedRows, actualRows, cost, time, children }) => {
    const figures = [
      actualRows !== null && `${actualRows} rows`,
      estimatedRows !== null && `~${estimatedRows}`,
      cost !== null && `cost ${cost}`,
      time,
    ].filter(Boolean)
    return [`${' '.repeat(depth)}${[name, ...figures].join(' | ')}`, ...outline(children, depth + 1)]
  })
const read = (columns: Record<string, (string | number)[]>) => outline(readPlan(frameOf(columns)).roots)

it('reads the boxes of DuckDB, with several inputs and wrapped text', () => {
  const text = `
┌───────────────────────────┐
│         HASH_JOIN         │
│    ────────────────────   │
│      Join Type: INNER     │
│                           │
│        Conditions:        ├──────────────┐
│     species = species     │              │
│                           │              │
│          ~68 rows         │              │
└─────────────┬─────────────┘              │
┌─────────────┴─────────────┐┌─────────────┴─────────────┐
│          SEQ_SCAN         ││         PROJECTION        │
│    ────────────────────   ││    ────────────────────   │
│           Table:          ││__internal_decompress_strin│
│          penguins         ││           g(#0)           │
│                           ││                           │
│         1,068 rows        ││          ~2 rows          │
│           0.01s           ││                           │
└───────────────────────────┘└─────────────┬─────────────┘
                             ┌─────────────┴─────────────┐
                             │          SEQ_SCAN         │
                             └───────────────────────────┘
`
  const frame = frameOf({ explain_key: ['physical_plan'], explain_value: [text] })
  const { roots } = readPlan(frame)
  expect(outline(roots)).toEqual([
    'HASH_JOIN | ~68',
    ' SEQ_SCAN | 1,068 rows | 0.01 s',
    ' PROJECTION | ~2',
    '  SEQ_SCAN',
  ])
  expect(roots[0]?.details).toEqual(['Join Type: INNER', 'Conditions: species = species'])
  expect(roots[0]?.children[0]?.details).toEqual(['Table: penguins'])
  expect(roots[0]?.children[1]?.details).toEqual(['__internal_decompress_string(#0)'])
})

it('regression: names tables of files as users do', () => {
  const json = (table: string) => [{ name: 'SEQ_SCAN', children: [], extra_info: { Table: table } }]
  const tableIn = (table: string) =>
    readPlan(frameOf({ explain_key: ['physical_plan'], explain_value: [JSON.stringify(json(table))] })).roots[0]
      ?.details
  expect(tableIn('_sales_2024_12.main."data"')).toEqual(['Table: sales_2024'])
  expect(tableIn('"_my sales_3".main."data"')).toEqual(['Table: my sales'])
  expect(tableIn('memory.main.sales_1')).toEqual(['Table: memory.main.sales_1'])
  const box = `
┌───────────────────────────┐
│          SEQ_SCAN         │
│    ────────────────────   │
│           Table:          │
│  _penguins_1.main."data"  │
└───────────────────────────┘
`
  const { roots } = readPlan(frameOf({ explain_key: ['physical_plan'], explain_value: [box] }))
  expect(roots[0]?.details).toEqual(['Table: penguins'])
})

it('reads the text of PostgreSQL, one line per row', () => {
  const lines = [
    'Hash Join  (cost=1.07..2.14 rows=3 width=8) (actual time=0.030..0.032 rows=2 loops=1)',
    '  Hash Cond: (a.id = b.id)',
    '  ->  Seq Scan on a  (cost=0.00..1.03 rows=3 width=4)',
    '        Filter: (id > 1)',
    '  ->  Hash  (cost=1.03..1.03 rows=3 width=4)',
    '        ->  Seq Scan on b  (cost=0.00..1.03 rows=3 width=4)',
    'Planning Time: 0.2 ms',
  ]
  expect(read({ 'QUERY PLAN': lines })).toEqual([
    'Hash Join | 2 rows | ~3 | cost 2.14 | 0.032 ms',
    ' Seq Scan on a | ~3 | cost 1.03',
    ' Hash | ~3 | cost 1.03',
    '  Seq Scan on b | ~3 | cost 1.03',
  ])
  const { roots } = readPlan(frameOf({ 'QUERY PLAN': lines }))
  expect(roots[0]?.details).toEqual(['Hash Cond: (a.id = b.id)', 'Planning Time: 0.2 ms'])
  expect(roots[0]?.children[0]?.details).toEqual(['Filter: (id > 1)'])
  expect(read({ 'QUERY PLAN': ['Seq Scan on a  (cost=0.00..1.03 rows=3 width=4)', '  Filter: (id > 1)'] })).toEqual([
    'Seq Scan on a | ~3 | cost 1.03',
  ])
})

it('reads the tree of MySQL, the branches of Trino, the lines of ClickHouse, and the parents of SQLite', () => {
  const mysql = `-> Limit: 3 row(s)  (cost=0.55 rows=3)
    -> Filter: (a.x > 1)  (cost=0.55 rows=1.5e+6) (actual time=0.03..0.04 rows=1 loops=1)
        -> Table scan on a  (cost=0.55 rows=3)
`
  expect(read({ EXPLAIN: [mysql] })).toEqual([
    'Limit: 3 row(s) | ~3 | cost 0.55',
    ' Filter: (a.x > 1) | 1 rows | ~1.5e+6 | cost 0.55 | 0.04 ms',
    '  Table scan on a | ~3 | cost 0.55',
  ])
  const trino = `Trino version: 450
Fragment 0 [SINGLE]
    Output layout: [name]
    Output partitioning: SINGLE []
    Output[columnNames = [name]]
    │   Layout: [name:varchar(25)]
    │   Estimates: {rows: 25 (356B), cpu: 0, memory: 0B, network: 356B}
    └─ Limit[count = 3]
       │   Layout: [name:varchar(25)]
       └─ TableScan[table = tpch:tiny:nation]
              Layout: [name:varchar(25)]
`
  expect(read({ 'Query Plan': [trino] })).toEqual([
    'Fragment 0 [SINGLE]',
    ' Output[columnNames = [name]] | ~25',
    '  Limit[count = 3]',
    '   TableScan[table = tpch:tiny:nation]',
  ])
  expect(
    read({ explain: ['Expression (Projection)', '  Limit (preliminary)', '    ReadFromStorage (Numbers)'] }),
  ).toEqual(['Expression (Projection)', ' Limit (preliminary)', '  ReadFromStorage (Numbers)'])
  const sqlite = frameOf({
    id: [3, 7, 9],
    parent: [0, 3, 0],
    notused: [0, 0, 0],
    detail: ['CO-ROUTINE x', 'SCAN cars', 'SCAN x'],
  })
  expect(outline(readPlan(sqlite).roots)).toEqual(['CO-ROUTINE x', ' SCAN cars', 'SCAN x'])
  expect(readPlan(sqlite).text).toBe('CO-ROUTINE x\n  SCAN cars\nSCAN x')
})

it('reads JSON of PostgreSQL, DuckDB, MySQL and Trino', () => {
  const json = (value: unknown) => readPlan(frameOf({ plan: [JSON.stringify(value, null, 2)] })).roots
  const postgres = json([
    {
      Plan: {
        'Node Type': 'Sort',
        'Plan Rows': 3,
        'Total Cost': 1.5,
        'Sort Key': ['a', 'b'],
        'Async Capable': false,
        Plans: [{ 'Node Type': 'Seq Scan', 'Relation Name': 'cars', 'Plan Rows': 3, 'Actual Total Time': 0.02 }],
      },
      'Planning Time': 0.1,
    },
  ])
  expect(outline(postgres)).toEqual(['Sort | ~3 | cost 1.5', ' Seq Scan on cars | ~3 | 0.02 ms'])
  expect(postgres[0]?.details).toEqual(['Sort Key: a, b', 'Planning Time: 0.1'])
  const duckdb = json({
    latency: 0.1,
    children: [
      {
        operator_name: 'TABLE_SCAN',
        operator_timing: 0.0012345,
        operator_cardinality: 344,
        cumulative_cardinality: 1,
        extra_info: { Table: 'penguins', 'Estimated Cardinality': '300' },
        children: [],
      },
    ],
  })
  expect(outline(duckdb)).toEqual(['TABLE_SCAN | 344 rows | ~300 | 1.23 ms'])
  expect(duckdb[0]?.details).toEqual(['Table: penguins'])
  const mysql = {
    query_block: {
      select_id: 1,
      cost_info: { query_cost: '1.40' },
      nested_loop: [
        { table: { table_name: 'a', access_type: 'ALL', rows_produced_per_join: 3 } },
        { table: { table_name: 'b', access_type: 'ref', rows_produced_per_join: 6 } },
      ],
    },
  }
  expect(outline(json(mysql))).toEqual(['query block | cost 1.40', ' nested loop', '  table a | ~3', '  table b | ~6'])
  const trino = { 0: { id: '6', name: 'Output', estimates: [{ outputRowCount: 25 }], children: [{ name: 'Limit' }] } }
  expect(outline(json(trino))).toEqual(['Fragment 0', ' Output | ~25', '  Limit'])
})

it('keeps text that is no plan, and takes only the text of EXPLAIN for one', () => {
  expect(readPlan(frameOf({ plan: ['{"a": '] })).text).toBe('{"a": ')
  const text = frameOf({ plan: ['x'] })
  expect(isPlan('-- why\nEXPLAIN SELECT 1', text)).toBe(true)
  expect(isPlan('SELECT 1 AS explain', text)).toBe(false)
  expect(isPlan('EXPLAIN SELECT 1', frameOf({ id: [1], select_type: ['SIMPLE'], table: ['a'] }))).toBe(false)
})
