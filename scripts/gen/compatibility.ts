import { readInventory, type CallState, type InventoryRow } from '../../packages/testing/src/inventory.ts'

const page = 'docs/compatibility.md'
const permissionsDecision = 'docs/decisions/0229-older-calls-ask-for-todays-permissions.md'

const titles: readonly [state: CallState, title: string][] = [
  ['same', 'Same'],
  ['different', 'Different on purpose'],
  ['later', 'Not there yet'],
  ['not there', 'Not there on purpose'],
]

const count = (rows: readonly InventoryRow[], state: CallState): number =>
  rows.filter((row) => row.state === state).length

const countRow = (name: string, rows: readonly InventoryRow[]): string =>
  `| ${[name, rows.length, ...titles.map(([state]) => count(rows, state))].join(' | ')} |`

/** The calls of a state, in one list item for each reason. */
function listCalls(rows: readonly InventoryRow[], [state, title]: (typeof titles)[number]): string[] {
  const inState = rows.filter((row) => row.state === state)
  return Object.entries(Object.groupBy(inState, ({ reason }) => reason)).map(([reason, calls = []]) => {
    const names = calls.map(({ route }) => `\`${route}\``).join(', ')
    return `- ${title}: ${names}${reason && `. ${reason}`}`
  })
}

/** The page that says for every documented call of the original whether it is here. */
export function buildCompatibility(): Map<string, string> {
  const rows = readInventory()
  const groups = Object.entries(Object.groupBy(rows, ({ group }) => group)) as [string, InventoryRow[]][]
  const text = `# Compatibility

Superset's releases 2.1 to 6.0 document ${rows.length} calls. This page says how Parquetry answers each of them. It is written by \`npm run gen\` from \`packages/testing/reference/compatibility.json\`, and \`apps/server/src/inventory.test.ts\` sends every call to a server: a call that is listed as missing and answers is a failure too.

"Same" calls have the address, input, permission and response of the original; where answers of the original were recorded, \`apps/server/src/reference.test.ts\` compares them. These differences apply to all calls: a bearer token works on every address and needs no CSRF token; both spellings of an address, with and without the final slash, answer directly; an object that the caller may not read looks missing; older calls that release 3.0 removed ask for the permission of the call that replaced them ([decision](${permissionsDecision.replace('docs/', '')})); what is not there answers 404 with a JSON body.

Of newer calls, \`/api/v1/task/\` is here: the background work of the server as tasks, with the flag \`GLOBAL_TASK_FRAMEWORK\`. Exported bundles contain the custom tags of charts and dashboards, in their field \`tags\` and in \`tags.yaml\`, and imports read both.

These clients run unchanged, as \`npm run clients\` checks: preset-cli 0.3.13 and 0.2.21, superset-api-client, dbt-superset-lineage, superset-mcp, the Superset source of DataHub, and @superset-ui/core. Importing charts, dashboards and datasets with them is not possible yet.

| | Calls | ${titles.map(([, title]) => title).join(' | ')} |
| --- | --- | ${titles.map(() => '---').join(' | ')} |
${groups.map(([name, calls]) => countRow(`\`${name}\``.replace(/^`(pages .*)`$/, '$1'), calls)).join('\n')}
${countRow('All', rows)}

${groups
  .map(([name, calls]) => `## ${name}\n\n${titles.flatMap((title) => listCalls(calls, title)).join('\n')}`)
  .join('\n\n')}
`
  return new Map([[page, text]])
}
