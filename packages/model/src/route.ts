import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from './error-codes.ts'

/** The API's own permission pair: permission name and view name (`can_read`, `Chart`). */
export type PermissionPair = readonly [permission: string, view: string]

/**
 * Who may call a route. A pair is looked up in the caller's roles; `signed-in` is any user; `anyone` is really anyone.
 * There is no default: a route without `can` does not compile.
 */
export type Can = PermissionPair | 'signed-in' | 'anyone'

/**
 * The contract of one call: everything that server, web client, OpenAPI page and reviewers must know about it.
 * A field left out is a type error, so that no route can forget its rights, its limits or its audit event.
 */
export interface RouteContract {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `:name` parameters. Collection paths end with `/`; both spellings are served. */
  path: string
  summary: string
  params?: TSchema
  /** Plain query parameters. Rison goes into `q`, see `rison`. */
  query?: TSchema
  /** Shape of the Rison (or JSON) in `?q=`. */
  rison?: TSchema
  /**
   * A strict TypeBox schema for resources, an open one for documents; `none` for calls without a body. `form`: text fields,
   * urlencoded or multipart. `multipart` (files) and `octets` are read from the stream by the handler.
   */
  body: TSchema | 'none' | 'form' | 'multipart' | 'octets'
  /** Of `multipart`: a JSON body that is taken in place of a form. */
  json?: TSchema
  /** Shape of the 2xx JSON answer, for the documentation and the tests; `bytes`, `page`, `stream` for other answers. */
  reply: TSchema | 'bytes' | 'page' | 'stream'
  can: Can
  /** In words: which object's rights the use case checks, or `none` when there is no object. */
  object: string
  rate: 'read' | 'write' | 'query' | 'sign-in'
  /** Name of the event in the log of actions, or `none` for calls that change nothing and show no data. */
  audit: string
  csrf: 'token' | 'same-origin' | 'none'
  /**
   * Form of the error body: `{message}`, the same with 422 for schema errors, `{errors:[...]}`, or `{error}`. `plain-legacy` are
   * calls of the older layer that moved: `{message}`, but what is refused as in that layer.
   */
  errors: 'plain' | 'plain-422' | 'plain-legacy' | 'typed' | 'legacy'
  fails: readonly ErrorCode[]
  /** In bytes; 1 MiB unless said. */
  bodyLimit?: number
  /** Form field whose JSON text is taken as the body when a form is sent instead of JSON. */
  formField?: string
  /** Message for a body that is no JSON, where the recorded one differs from the usual. */
  notJson?: string
  /** A missing CSRF token is said before a missing sign-in, as the recorded answers of some calls have it. */
  csrfFirst?: boolean
  /** For who must hear soon whether the server is well: 503 when the answer is not there within this time. */
  deadlineMs?: number
}

/** Says a route once. The type keeps the literal path and schemas, so that `serve` and the client know all shapes. */
export const defineRoute = <const R extends RouteContract>(route: R): R => route

type Shape<T> = T extends TSchema ? Static<T> : undefined
/** Of a form with files what came as JSON instead. */
export type BodyOf<R extends RouteContract> = R['body'] extends 'form'
  ? Record<string, string>
  : R['body'] extends 'multipart'
    ? Shape<R['json']> | undefined
    : Shape<R['body']>
export type QueryOf<R extends RouteContract> = Shape<R['query']>
export type RisonOf<R extends RouteContract> = Shape<R['rison']>
export type ParamsOf<R extends RouteContract> = Shape<R['params']>
export type ReplyOf<R extends RouteContract> = Shape<R['reply']>
