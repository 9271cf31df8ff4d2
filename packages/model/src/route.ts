import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from './error-codes.ts'

/** A permission pair of the API: permission name and view name (`can_read`, `Chart`). */
export type PermissionPair = readonly [permission: string, view: string]

/**
 * Permission to call a route: a pair that the caller's roles must contain, `signed-in` for any user, `identified` for users and
 * guests of embedded dashboards, or `anyone` for really anyone. There is no default: a route without `can` does not compile.
 */
export type Can = PermissionPair | 'signed-in' | 'identified' | 'anyone'

/** Maximum size of a request body in bytes, unless a contract has its own. */
export const defaultBodyLimit = 1 << 20

/**
 * Contract of one call for the server, the web client, the OpenAPI page and reviewers. Omitting a required field is a type error,
 * so that no route can forget its permissions, limits or audit event.
 */
export interface RouteContract {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Contains `:name` parameters. Collection paths end with `/`; both spellings are served. */
  path: string
  summary: string
  params?: TSchema
  /** Plain query parameters. Rison in `q` is defined by `rison`. */
  query?: TSchema
  /** Shape of the Rison (or JSON) in `?q=`. */
  rison?: TSchema
  /**
   * A strict TypeBox schema for resources, an open one for documents; `none` for calls without a body. `form`: text fields,
   * urlencoded or multipart. `multipart` (files) and `octets` are read from the stream by the handler.
   */
  body: TSchema | 'none' | 'form' | 'multipart' | 'octets'
  /** Schema of a body that the handler reads itself, for the OpenAPI document. `body` is then any JSON, or `none` if it is optional. */
  documentedBody?: TSchema
  /** Fields of the form, for the OpenAPI document. The handler checks them. */
  form?: TSchema
  /** For `multipart`: a JSON body that is accepted instead of a form. */
  json?: TSchema
  /** Schema of the 2xx JSON response, for documentation and tests; `bytes`, `page` or `stream` for other responses. */
  reply: TSchema | 'bytes' | 'page' | 'stream'
  can: Can
  /** Text that names the object whose permissions the use case checks, or `none`. */
  object: string
  /** Class of the rate limit. `sign-in` is limited by the sign-in throttle of the server and not by RATE_LIMITS. */
  rate: 'read' | 'write' | 'query' | 'sign-in'
  /** Event name in the action log, or `none` for calls that change nothing and show no data. */
  audit: string
  csrf: 'token' | 'same-origin' | 'none'
  /**
   * Form of the error body: `{message}`, the same with 422 for schema errors, `{errors:[...]}`, or `{error}`. `plain-legacy` is
   * for moved calls of the legacy layer: `{message}`, but rejections as in that layer.
   */
  errors: 'plain' | 'plain-422' | 'plain-legacy' | 'typed' | 'legacy'
  /** Statuses of responses that are no errors; only 200 if omitted. */
  success?: readonly number[]
  fails: readonly ErrorCode[]
  /** Statuses that older clients expect instead of those of `fails`. */
  errorStatuses?: readonly number[]
  /** Statuses that are also sent with an empty body, as older clients expect. */
  emptyErrors?: readonly number[]
  /** In bytes; defaults to `defaultBodyLimit`. */
  bodyLimit?: number
  /** Form field whose JSON text is used as the body when a form is sent instead of JSON. */
  formField?: string
  /** Message for a body that is not JSON, where the recorded one differs from the default. */
  notJson?: string
  /** Reports a missing CSRF token before a missing sign-in, as in the recorded responses of some calls. */
  csrfFirst?: boolean
  /** The response lasts until the client disconnects, so the call does not count as one in progress. */
  isEndless?: boolean
  /** For changes of how a user signs in, which a leaked API key must not be able to make. */
  refusesApiKeys?: boolean
  /** For health checks, which need a quick response: 503 after this time. */
  deadlineMs?: number
}

/** Defines a route. The type keeps the literal path and schemas, so that `serve` and the client know all types. */
export const defineRoute = <const R extends RouteContract>(route: R): R => route

type Shape<T> = T extends TSchema ? Static<T> : undefined
/** For a form with files, the type of the JSON body accepted instead. */
export type BodyOf<R extends RouteContract> = R['body'] extends 'form'
  ? Record<string, string>
  : R['body'] extends 'multipart'
    ? Shape<R['json']> | undefined
    : Shape<R['body']>
export type QueryOf<R extends RouteContract> = Shape<R['query']>
export type RisonOf<R extends RouteContract> = Shape<R['rison']>
export type ParamsOf<R extends RouteContract> = Shape<R['params']>
export type ReplyOf<R extends RouteContract> = Shape<R['reply']>
