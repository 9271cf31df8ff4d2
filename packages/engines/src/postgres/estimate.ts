import type { Client } from 'pg'

interface Explained {
  Plan: { 'Startup Cost': number; 'Total Cost': number }
}

/** Formats a cost as in the API: integers end with `.0`. */
const figure = (cost: number): string => (Number.isInteger(cost) ? cost.toFixed(1) : String(cost))

const explain = 'EXPLAIN (FORMAT JSON) '

/** Cost of a statement as the planner expects it, in its own units; nothing runs. */
export async function estimatePostgresCost(client: Client, sql: string): Promise<Record<string, string>> {
  // The extended protocol rejects a text of several statements.
  const explainQuery = { text: `${explain}${sql}`, queryMode: 'extended' }
  const { rows } = await client
    .query<{ 'QUERY PLAN': Explained[] }>(explainQuery)
    .catch((error: { position?: string }) => {
      if (error.position) error.position = String(Math.max(1, Number(error.position) - explain.length))
      throw error
    })
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  if (!plan) return {}
  return { 'Start-up cost': figure(plan['Startup Cost']), 'Total cost': figure(plan['Total Cost']) }
}
