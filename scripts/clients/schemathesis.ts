import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDocumentDeviations, readReferenceDocument } from '@parquetry/testing'
import { startProduct } from '../../apps/web/journeys/product.ts'
import type { CheckContext, PublicClient } from './public-client.ts'
import { runProgram } from './run-program.ts'
import { schemathesisTool } from './tools.ts'

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
].join(',')

/** An answer that differs from the document. */
interface Finding {
  operation: string
  /** `status 404`, `type text/html`, or the problem with the body, such as `1 is not of type "string" (status 200)`. */
  deviation: string
}

/** Parses the findings in the output. Unknown messages are findings as well. */
function parseFindings(output: string): Finding[] {
  const failures = output.slice(output.indexOf('= FAILURES ='), output.indexOf('= SUMMARY ='))
  const [, ...sections] = failures.split(/\n_{3,} (\w+ \/\S*) _{3,}\n/)
  const findings: Finding[] = []
  for (let index = 0; index < sections.length; index += 2) {
    const [operation = '', text = ''] = sections.slice(index, index + 2)
    const add = (deviation: string): void => void findings.push({ operation, deviation })
    for (const [, status] of text.matchAll(/- ST103 [^\n]+\n\n\s+Received: (\d+)/g)) add(`status ${status}`)
    for (const [, type] of text.matchAll(/- ST105 [^\n]+\n\n\s+Received: ([^\s;]+)/g)) add(`type ${type}`)
    for (const [, problem, status] of text.matchAll(
      /\n {4}(\S[^\n]*)\n\n {4}Validated against the response schema for status code (\d+)\./g,
    ))
      add(`${problem} (status ${status})`)
    for (const [, title] of text.matchAll(/- (ST(?!103|105|108)\d+ [^\n]+)/g)) add(title!)
  }
  for (const [, error] of output.matchAll(/^ {2}🚫 (\S.*)$/gm)) findings.push({ operation: 'run', deviation: error! })
  return findings
}

/** Sends random calls of a document as an administrator. Each run sends the same calls. */
async function sendCalls(context: CheckContext, name: string, ...more: string[]): Promise<Finding[]> {
  const { program, folder, directUrl } = context
  const login = await fetch(`${directUrl}/api/v1/security/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'admin', provider: 'db' }),
  })
  const { access_token } = (await login.json()) as { access_token: string }
  const args = ['run', name, '--url', directUrl, '--header', `Authorization: Bearer ${access_token}`]
  const cases = ['--phases', 'coverage,fuzzing', '--max-examples', '3', '--seed', '32', '--no-shrink']
  const settings = ['--generation-database', 'none', '--generation-with-security-parameters', 'false']
  const report = ['--no-color', '--warnings', 'off', '--report', 'ndjson', '--report-ndjson-path', 'report.ndjson']
  const output = await runProgram(
    program,
    [
      ...args,
      ...cases,
      ...settings,
      ...report,
      '--request-timeout',
      '60',
      '--continue-on-failure',
      '-c',
      checks,
      ...more,
    ],
    { cwd: folder, seconds: 1200, successCodes: [0, 1] },
  )
  const [, generated = '0'] = /(\d+) generated/.exec(output) ?? []
  const succeeded = readFileSync(join(folder, 'report.ndjson'), 'utf8').split('"status_code":20').length - 1
  process.stdout.write(`         ${generated} calls, ${succeeded} of them with a result\n`)
  // If the token were refused, every answer would be a documented error, and the check would prove nothing.
  assert.ok(succeeded > 500, `only ${succeeded} calls had a result`)
  return parseFindings(output)
}

async function checkOwnDocument(context: CheckContext): Promise<void> {
  const { body } = await context.api.get('/api/v1/_openapi')
  writeFileSync(join(context.folder, 'own.json'), JSON.stringify(body))
  // Schemathesis reads streams of events as lists.
  const findings = await sendCalls(context, 'own.json', '--exclude-path-regex', 'async_event/(stream|ws)')
  assert.deepEqual(findings, [])
}

async function checkReferenceDocument(context: CheckContext): Promise<void> {
  writeFileSync(join(context.folder, 'reference.json'), readReferenceDocument())
  // Random calls may end the sessions of the administrator, or change the password.
  const product = await startProduct()
  let findings: Finding[]
  try {
    findings = await sendCalls({ ...context, directUrl: product.url }, 'reference.json')
  } finally {
    await product.stop()
  }
  const known = readDocumentDeviations().map((one) => ({ ...one, pattern: new RegExp(one.deviation, 's') }))
  for (const { pattern, reason, overruled_by } of known) {
    const count = findings.filter(({ deviation }) => pattern.test(deviation)).length
    if (count > 0) process.stdout.write(`         ${count} deviations: ${reason} (${overruled_by})\n`)
  }
  const unknown = findings.filter(({ deviation }) => !known.some(({ pattern }) => pattern.test(deviation)))
  assert.deepEqual(unknown, [])
}

/** Sends random calls of an OpenAPI document and compares the answers with it. */
export const schemathesis: PublicClient = {
  name: 'schemathesis',
  version: '4.32.5',
  tool: schemathesisTool,
  isReplayed: false,
  notCovered: ['/api/v1/async_event/stream and /ws: it reads streams of events as lists'],
  async run(context) {
    const { check } = context
    await check('our document: no server error, and every answer matches its schema', () => checkOwnDocument(context))
    await check('the document of the reference: no server error, and every deviation is listed', () =>
      checkReferenceDocument(context),
    )
  },
}
