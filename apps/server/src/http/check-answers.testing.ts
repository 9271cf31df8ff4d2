import type { RouteContract } from '@parquetry/model'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { listErrorStatuses } from './statuses.ts'

const checks = new WeakMap<TSchema, ReturnType<typeof Compile>>()

function checkOf(schema: TSchema): ReturnType<typeof Compile> {
  const known = checks.get(schema) ?? Compile(schema)
  checks.set(schema, known)
  return known
}

/** Errors of the test servers of this process whose status is not in their contract, as `404 POST /path`. */
export const undocumentedErrors = new Set<string>()

function collectError(contract: RouteContract | undefined, status: number): void {
  if (!contract || contract.reply === 'page' || status < 400 || listErrorStatuses(contract).includes(status)) return
  undocumentedErrors.add(`${status} ${contract.method} ${contract.path}`)
}

/** Fails a request whose JSON response or status does not match its contract, in test servers. */
export function checkAnswers(http: FastifyInstance): void {
  const refuse = (text: string, done: (error: Error) => void): void => {
    // The response itself is a 500 without a message.
    process.stderr.write(`${text}\n`)
    done(new Error(text))
  }
  http.addHook('onSend', (request, reply, payload, done) => {
    const { contract } = request.routeOptions.config
    const { statusCode } = reply
    collectError(contract, statusCode)
    const isDocumented =
      !contract || contract.reply === 'page' || statusCode >= 400 || (contract.success ?? [200]).includes(statusCode)
    if (isDocumented || statusCode === 304) return done(null, payload)
    return refuse(`${contract.method} ${contract.path} answers with the undocumented status ${statusCode}`, done)
  })
  http.addHook('preSerialization', (request, reply, payload, done) => {
    const { contract } = request.routeOptions.config
    const schema = contract?.reply
    // 202: the result comes later, from another URL.
    const isAnswer = reply.statusCode < 300 && reply.statusCode !== 202
    if (typeof schema !== 'object' || !isAnswer) return done(null, payload)
    const check = checkOf(schema)
    const sent: unknown = JSON.parse(JSON.stringify(payload))
    if (check.Check(sent)) return done(null, payload)
    const [first] = check.Errors(sent)
    return refuse(
      `${contract?.method} ${contract?.path} answers what its contract does not say: ${first?.instancePath} ${first?.message}`,
      done,
    )
  })
}
