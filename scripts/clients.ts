// `npm run clients [-- --only NAME,NAME] [--record FOLDER]` installs clients that were written for other servers of this API, runs
// each of them unchanged against a fresh installation with the examples, and prints a table.
//   --only    runs the clients with these names, which may end in a version: preset-cli-0.3.13
//   --record  writes the calls of each client to FOLDER/<client>.json, to compare with packages/testing/reference/clients
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import prepareHome from '../apps/web/journeys/prepared-home.ts'
import { createApiClient, startProduct } from '../apps/web/journeys/product.ts'
import { datahub } from './clients/datahub.ts'
import { dbtSupersetLineage } from './clients/dbt-superset-lineage.ts'
import { listMissingCalls } from './clients/missing-calls.ts'
import { olderPresetCli, presetCli } from './clients/preset-cli.ts'
import type { PublicClient } from './clients/public-client.ts'
import { startRecorder } from './clients/recorder.ts'
import { formatCalls } from './clients/readable-calls.ts'
import { formatClientTable, type ClientOutcome } from './clients/table.ts'
import { schemathesis } from './clients/schemathesis.ts'
import { supersetApiClient } from './clients/superset-api-client.ts'
import { supersetMcp } from './clients/superset-mcp.ts'
import { supersetUiCore } from './clients/superset-ui-core.ts'
import { browser } from './services/browser.ts'
import { installMissing, isAvailable } from './services/install-missing.ts'

const clients: readonly PublicClient[] = [
  presetCli,
  olderPresetCli,
  supersetApiClient,
  dbtSupersetLineage,
  supersetMcp,
  datahub,
  supersetUiCore,
  schemathesis,
]

const { values } = parseArgs({ options: { only: { type: 'string' }, record: { type: 'string' } } })
const only = values.only?.split(',')
const chosen = clients.filter(
  ({ name, version }) => !only || only.includes(name) || only.includes(`${name}-${version}`),
)
const print = (text: string): void => void process.stdout.write(`${text}\n`)

installMissing([...chosen.map(({ tool }) => tool), ...(chosen.includes(supersetUiCore) ? [browser] : [])])
const removeHome = await prepareHome()
const outcomes: ClientOutcome[] = []
try {
  for (const client of chosen) outcomes.push(await runClient(client))
} finally {
  removeHome()
}
print(`\n${formatClientTable(outcomes)}`)
process.exitCode = chosen.length === 0 || outcomes.some(({ failed }) => failed > 0) ? 1 : 0

async function runClient(client: PublicClient): Promise<ClientOutcome> {
  const { name, version, tool, notCovered } = client
  print(`\n${name} ${version}`)
  const outcome: ClientOutcome = { name, version, passed: 0, failed: 0, notCovered }
  const fail = (title: string, error: unknown): void => {
    outcome.failed++
    print(`  FAILED ${title}\n${error instanceof Error ? error.stack : String(error)}`)
  }
  const program = (tool.variable && process.env[tool.variable]) || tool.find()
  if (!isAvailable(tool) || !program) {
    fail('installation', `${tool.title} could not be installed. See the output above.`)
    return outcome
  }
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-client-'))
  const product = await startProduct()
  const recorder = await startRecorder(product.url)
  try {
    const api = await createApiClient(product.url, 'admin')
    const check = async (title: string, run: () => Promise<void>): Promise<void> => {
      try {
        await run()
        outcome.passed++
        print(`  ok     ${title}`)
      } catch (error) {
        fail(title, error)
      }
    }
    await client.run({ url: recorder.url, directUrl: product.url, calls: recorder.calls, api, program, folder, check })
    if (client.isReplayed)
      await check('the test suite replays every kind of call', async () =>
        assert.deepEqual(listMissingCalls(`${name} ${version}`, recorder.calls), []),
      )
  } catch (error) {
    fail('preparation', error)
  } finally {
    await recorder.close()
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  if (values.record && client !== schemathesis) {
    mkdirSync(values.record, { recursive: true })
    writeFileSync(join(values.record, `${name.replaceAll('/', '-')}-${version}.json`), formatCalls(recorder.calls))
  }
  return outcome
}
