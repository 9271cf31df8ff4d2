import { compareSchemas } from './compare-schemas.ts'
import type { ApiDocument, Contents, Operation, Parameter, Response } from './types.ts'

/** Addresses are equal if they differ only in the names of their parameters. */
const keyOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}').replace(/\/$/, '')

interface Documents {
  before: ApiDocument
  after: ApiDocument
}

function* compareContents(
  old: Contents,
  now: Contents,
  direction: 'input' | 'output',
  path: string,
  { before, after }: Documents,
): Generator<string> {
  for (const [type, { schema }] of Object.entries(old)) {
    const next = now[type]
    if (!next) yield `${path}: ${type} is gone`
    else yield* compareSchemas({ schema, document: before }, { schema: next.schema, document: after }, direction, path)
  }
}

const contentsOf = ({ schema, content }: Parameter): Contents => content ?? { value: { schema: schema ?? {} } }

function* compareParameters(old: Operation, now: Operation, documents: Documents): Generator<string> {
  const inPath = (operation: Operation) => operation.parameters.filter((one) => one.in === 'path')
  for (const [index, parameter] of inPath(old).entries()) {
    const next = inPath(now)[index]
    // Any value in an address is a text.
    if (next && next.schema?.['type'] !== 'string')
      yield* compareContents(contentsOf(parameter), contentsOf(next), 'input', parameter.name, documents)
  }
  const query = (operation: Operation) => operation.parameters.filter((one) => one.in === 'query')
  for (const parameter of query(old)) {
    const next = query(now).find(({ name }) => name === parameter.name)
    if (!next) yield `?${parameter.name}: removed`
    else yield* compareContents(contentsOf(parameter), contentsOf(next), 'input', `?${parameter.name}`, documents)
  }
  for (const { name, required } of query(now))
    if (required === true && query(old).find((one) => one.name === name)?.required !== true)
      yield `?${name}: is required now`
}

function* compareBodies(old: Operation, now: Operation, documents: Documents): Generator<string> {
  if (now.requestBody?.required === true && old.requestBody?.required !== true) yield 'body: is required now'
  if (!old.requestBody) return
  yield* compareContents(old.requestBody.content, now.requestBody?.content ?? {}, 'input', 'body', documents)
}

const resolveResponse = (response: Response, { components }: ApiDocument): Response =>
  response.$ref === undefined ? response : (components.responses[response.$ref.split('/').at(-1) ?? ''] ?? {})

function* compareResponses(old: Operation, now: Operation, documents: Documents): Generator<string> {
  for (const [status, response] of Object.entries(old.responses)) {
    const next = now.responses[status]
    if (!next) yield `${status}: is no longer answered`
    else
      yield* compareContents(
        resolveResponse(response, documents.before).content ?? {},
        resolveResponse(next, documents.after).content ?? {},
        'output',
        status,
        documents,
      )
  }
}

function* compareOperations(old: Operation, now: Operation, documents: Documents): Generator<string> {
  if (old.operationId !== now.operationId) yield `its operationId was ${old.operationId}`
  if (old.security.length === 0 && now.security.length > 0) yield 'requires signing in now'
  yield* compareParameters(old, now, documents)
  yield* compareBodies(old, now, documents)
  yield* compareResponses(old, now, documents)
}

/**
 * Lists the changes of a document that break existing callers, one sentence each: what was removed, what is required now, and
 * what accepts less or answers more types than before. Additions do not break callers.
 */
export function listBreakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  const operations = new Map(
    Object.entries(after.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method} ${keyOf(path)}`, operation] as const),
    ),
  )
  const changes: string[] = []
  for (const [path, methods] of Object.entries(before.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const route = `${method.toUpperCase()} ${path}`
      const next = operations.get(`${method} ${keyOf(path)}`)
      if (!next) changes.push(`${route}: removed`)
      else
        for (const change of compareOperations(operation, next, { before, after })) changes.push(`${route} ${change}`)
    }
  return changes
}
