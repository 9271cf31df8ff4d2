import assert from 'node:assert/strict'
import type { CheckContext, PublicClient } from './public-client.ts'
import { runProgram } from './run-program.ts'
import { datahubTool } from './tools.ts'

const script = `
import json, sys
from datahub.ingestion.run.pipeline import Pipeline
source = {"type": "superset", "config": {"connect_uri": sys.argv[1], "username": "admin", "password": "admin", "ingest_datasets": True}}
pipeline = Pipeline.create({"source": source, "sink": {"type": "file", "config": {"filename": "found.json"}}})
pipeline.run()
report = pipeline.source.get_report()
messages = [[one.title, one.message, list(one.context)[:3]] for one in [*report.warnings, *report.failures]]
found = json.load(open("found.json"))
print("REPORT" + json.dumps({"messages": messages, "found": found}))
`

interface Report {
  messages: unknown[]
  found: Record<string, unknown>[]
}

/** Reads the whole catalog. */
async function ingest({ program, folder, url }: CheckContext): Promise<Report> {
  const env = { DATAHUB_TELEMETRY_ENABLED: 'false', HOME: folder }
  const output = await runProgram(program, ['-c', script, url], { cwd: folder, env, seconds: 300 })
  return JSON.parse(output.slice(output.lastIndexOf('REPORT') + 'REPORT'.length)) as Report
}

const countAspects = ({ found }: Report, name: string): number => JSON.stringify(found).split(`${name}"`).length - 1

async function checkCatalog(context: CheckContext): Promise<void> {
  const { api } = context
  const count = async (kind: string): Promise<number> => (await api.get(`/api/v1/${kind}/`)).body.count
  const report = await ingest(context)
  assert.deepEqual(report.messages, [])
  assert.equal(countAspects(report, 'DashboardInfo'), await count('dashboard'))
  assert.equal(countAspects(report, 'ChartInfo'), await count('chart'))
  assert.equal(countAspects(report, 'SchemaMetadata'), await count('dataset'))
}

async function checkOwners(context: CheckContext): Promise<void> {
  const { api } = context
  const { id } = (await api.get('/api/v1/me/')).body.result
  await api.put(`/api/v1/security/users/${id}`, { email: 'admin@example.com' })
  await api.put('/api/v1/dashboard/1', { owners: [id] })
  const report = await ingest(context)
  assert.deepEqual(report.messages, [])
  assert.ok(JSON.stringify(report.found).includes('urn:li:corpuser:admin@example.com'))
}

/** The Superset source of DataHub, a data catalog. It reads dashboards, charts and datasets. */
export const datahub: PublicClient = {
  name: 'acryl-datahub',
  version: '1.7.0.17',
  tool: datahubTool,
  isReplayed: true,
  notCovered: [],
  async run(context) {
    const { check } = context
    await check('reads all dashboards, charts and datasets without a warning', () => checkCatalog(context))
    await check('reads owners with their email addresses', () => checkOwners(context))
  },
}
