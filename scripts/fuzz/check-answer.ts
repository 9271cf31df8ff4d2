import { Compile } from 'typebox/schema'
import type { ApiDocument, NamedOperation } from '@parquetry/testing/fuzz/api-document'

interface Answer {
  status: number
  headers: Headers
  text: string
}

interface DocumentedResponse {
  $ref?: string
  content?: Record<string, { schema: object }>
}

/** Returns a check of answers against an OpenAPI document: the status is documented, and a JSON body matches its schema. */
export function createAnswerCheck({
  components,
}: ApiDocument): (operation: NamedOperation, answer: Answer) => string | undefined {
  const checks = new Map<object, ReturnType<typeof Compile>>()
  const checkOf = (schema: object) => {
    // References start at the root of the schema.
    const check = checks.get(schema) ?? Compile({ ...schema, components } as never)
    checks.set(schema, check)
    return check
  }
  const resolve = (response: DocumentedResponse): DocumentedResponse =>
    response.$ref === undefined
      ? response
      : (components.responses[response.$ref.split('/').at(-1) ?? ''] as DocumentedResponse)

  /** @returns the problem with the answer, or undefined */
  return ({ operation }, { status, headers, text }) => {
    const isBusy = status === 503 && headers.has('retry-after')
    if (status >= 500 && !isBusy) return `status ${status}`
    const response = operation.responses[status] as DocumentedResponse | undefined
    if (!response) return `undocumented status ${status}`
    const schema = resolve(response).content?.['application/json']?.schema
    if (!schema || !headers.get('content-type')?.startsWith('application/json')) return undefined
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return `status ${status} with a body that is not JSON`
    }
    const check = checkOf(schema)
    if (check.Check(body)) return undefined
    const [, [first]] = check.Errors(body)
    return `status ${status} with a body that does not match its schema: ${first?.instancePath} ${first?.message}`
  }
}
