import assert from 'node:assert/strict'
import type { CheckContext, PublicClient } from './public-client.ts'
import { runProgram } from './run-program.ts'
import { supersetApiClientTool } from './tools.ts'

const prelude = `
import json, os, sys
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
from supersetapiclient.client import SupersetClient
client = SupersetClient(sys.argv[1], "admin", "admin")
def show(value): print(json.dumps(value))
`

/** Runs Python code with a signed-in `client`. @returns what it passes to `show` */
async function runPython({ program, folder, url }: CheckContext, code: string): Promise<unknown> {
  const output = await runProgram(program, ['-c', prelude + code, url], { cwd: folder })
  return output === '' ? undefined : JSON.parse(output)
}

async function checkDashboard(context: CheckContext): Promise<void> {
  const shown = await runPython(
    context,
    `
one = client.dashboards.find_one(slug="flights")
one.fetch()
one.update_colors({"JetBlue": "#00203f"})
one.save()
again = client.dashboards.get(one.id)
show([client.dashboards.count() == len(client.dashboards.find()), again.colors["JetBlue"], again.dashboard_title == one.dashboard_title, again.position_json == one.position_json, len(one.get_charts()) == len(one.charts)])
`,
  )
  assert.deepEqual(shown, [true, '#00203f', true, true, true])
}

async function checkChart(context: CheckContext): Promise<void> {
  const shown = await runPython(
    context,
    `
from supersetapiclient.charts import Chart
dataset = client.datasets.find_one(table_name="flights")
chart = Chart(slice_name="From a script", datasource_id=dataset.id, datasource_type="table", viz_type="table", params=json.dumps({"viz_type": "table"}))
id = client.charts.add(chart)
chart = client.charts.get(id)
chart.description = "Changed"
chart.dashboards = []
chart.save()
again = client.charts.get(id)
show([again.slice_name, again.description, again.params["viz_type"], again.delete(), len(client.charts.find(slice_name="From a script"))])
`,
  )
  assert.deepEqual(shown, ['From a script', 'Changed', 'table', true, 0])
}

async function checkDataset(context: CheckContext): Promise<void> {
  const shown = await runPython(
    context,
    `
from supersetapiclient.datasets import Dataset
database = client.datasets.find_one(table_name="flights").database_id
id = client.datasets.add(Dataset(table_name="from_a_script", database_id=database, sql="SELECT 1 AS one"))
made = client.datasets.get(id)
found = client.datasets.find_one(table_name="from_a_script")
show([made.kind, found.kind, made.sql, [column["column_name"] for column in made.columns], made.database_id == database, made.delete()])
`,
  )
  assert.deepEqual(shown, ['virtual', 'virtual', 'SELECT 1 AS one', ['one'], true, true])
}

async function checkDatabase(context: CheckContext): Promise<void> {
  const shown = await runPython(
    context,
    `
from supersetapiclient.databases import Database
one = client.databases.find()[0]
again = client.databases.get(one.id)
show([again.database_name == one.database_name, Database.from_json({"database_name": "new", "sqlalchemy_uri": "nonsense://"}).database_name])
new = Database(database_name="new", sqlalchemy_uri="nonsense://")
new._parent = client.databases
assert not new.test_connection()
`,
  )
  assert.deepEqual(shown, [true, 'new'])
}

async function checkSavedQuery(context: CheckContext): Promise<void> {
  const shown = await runPython(
    context,
    `
from supersetapiclient.saved_queries import SavedQuery
database = client.databases.find()[0].id
id = client.saved_queries.add(SavedQuery(label="From a script", sql="SELECT 1", db_id=database, schema="main"))
made = client.saved_queries.get(id)
made.label = "Renamed"
made.save()
again = client.saved_queries.find_one(label="Renamed")
again.export("query.zip")
show([made.db_id == database, again.sql, open("query.zip", "rb").read(2).decode(), made.delete()])
`,
  )
  assert.deepEqual(shown, [true, 'SELECT 1', 'PK', true])
}

async function checkExport(context: CheckContext): Promise<void> {
  const shown = await runPython(
    context,
    `
import zipfile
kinds = [client.dashboards, client.charts, client.datasets, client.databases]
names = []
for kind in kinds:
    kind.export([kind.find()[0].id], "export.zip")
    names.append(sorted({name.split("/")[1] for name in zipfile.ZipFile("export.zip").namelist()})[0])
show(names)
`,
  )
  assert.deepEqual(shown, ['charts', 'charts', 'databases', 'databases'])
}

/** Existing objects are replaced only on request, as the server's status 422 says. */
async function checkImport(context: CheckContext): Promise<void> {
  const shown = await runPython(
    context,
    `
from supersetapiclient.exceptions import ComplexBadRequestError
def outcome(kind, **options):
    try: return kind.import_file("import.zip", **options)
    except ComplexBadRequestError as error: return [error.response.status_code, "overwrite=true" in error.response.text]
def names(kind, field): return sorted(getattr(one, field) for one in kind.find())
shown = []
for kind, field in [(client.dashboards, "dashboard_title"), (client.charts, "slice_name"), (client.datasets, "table_name"), (client.databases, "database_name")]:
    before = names(kind, field)
    kind.export([kind.find()[0].id], "import.zip")
    shown.append([outcome(kind), outcome(kind, overwrite=True), names(kind, field) == before])
show(shown)
`,
  )
  assert.deepEqual(shown, Array(4).fill([[422, true], true, true]))
}

/** Nothing listens at the address of the warehouse, so this also shows that an import does not connect. */
async function checkPassword(context: CheckContext): Promise<void> {
  const shown = await runPython(
    context,
    `
import zipfile
from supersetapiclient.exceptions import ComplexBadRequestError
with zipfile.ZipFile("warehouse.zip", "w") as bundle:
    bundle.writestr("root/metadata.yaml", json.dumps({"version": "1.0.0", "type": "Database", "timestamp": "2026-01-02T03:04:05+00:00"}))
    bundle.writestr("root/databases/Warehouse.yaml", json.dumps({"database_name": "Warehouse", "sqlalchemy_uri": "postgresql://reader:XXXXXXXXXX@127.0.0.1:1/none", "uuid": "3d0c2a6e-5a3c-4e0e-9a0e-1f6f0f6d3b11", "version": "1.0.0"}))
try: client.databases.import_file("warehouse.zip")
except ComplexBadRequestError as error: refusal = error.response.text
show(["Must provide a password for the database" in refusal, client.databases.import_file("warehouse.zip", passwords={"Warehouse": "secret"}), client.databases.find_one(database_name="Warehouse").database_name])
`,
  )
  assert.deepEqual(shown, [true, true, 'Warehouse'])
}

async function checkSql(context: CheckContext): Promise<void> {
  const shown = await runPython(
    context,
    `
columns, data = client.databases.find()[0].run("SELECT 41 + 1 AS answer", query_limit=10)
show([columns[0]["name"], data])
`,
  )
  assert.deepEqual(shown, ['answer', [{ answer: 42 }]])
}

async function checkErrors(context: CheckContext): Promise<void> {
  const shown = await runPython(
    context,
    `
from supersetapiclient.exceptions import BadRequestError, NotFound
def failure(run):
    try: run()
    except Exception as error: return [type(error).__name__, error.response.status_code if getattr(error, "response", None) is not None else None]
wrong = SupersetClient(sys.argv[1], "admin", "wrong")
show([failure(lambda: client.dashboards.get(999999)), failure(lambda: client.dashboards.find_one(slug="nowhere")), failure(lambda: wrong.dashboards.find())])
`,
  )
  assert.deepEqual(shown, [
    ['BadRequestError', 404],
    ['NotFound', null],
    ['BadRequestError', 401],
  ])
}

/** A Python library for scripts. */
export const supersetApiClient: PublicClient = {
  name: 'superset-api-client',
  version: '0.6.0',
  tool: supersetApiClientTool,
  isReplayed: true,
  notCovered: [],
  async run(context) {
    const { check } = context
    await check('finds a dashboard by its slug and changes its colors', () => checkDashboard(context))
    await check('adds, changes and deletes a chart', () => checkChart(context))
    await check('adds a virtual dataset', () => checkDataset(context))
    await check('lists databases and tests a connection', () => checkDatabase(context))
    await check('adds, changes, exports and deletes a saved query', () => checkSavedQuery(context))
    await check('exports each kind as a ZIP file', () => checkExport(context))
    await check('imports its files of each kind', () => checkImport(context))
    await check('runs SQL', () => checkSql(context))
    await check('imports a database with a password', () => checkPassword(context))
    await check('reports missing objects and a wrong password', () => checkErrors(context))
  },
}
