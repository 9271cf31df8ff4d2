import type { BodyOf, ListQuery, ParamsOf, QueryOf, ReplyOf, RisonOf, RouteContract } from '@parquetry/model'

type Model = typeof import('@parquetry/model')
type RoutesOf<T> = T extends RouteContract ? T : T extends Record<string, RouteContract> ? T[keyof T] : never
/** Every contract that the model exports, alone or in a table of routes. Types only: no schema is loaded. */
type Contract = { [Name in keyof Model]: RoutesOf<Model[Name]> }[keyof Model]

/** `GET /api/v1/chart/:id` -> its contract. */
export type Contracts = { [R in Contract as `${R['method']} ${R['path']}`]: R }

export type Method = RouteContract['method']
/** Paths of a method as in their contracts, including `:name` parameters. */
export type PathOf<M extends Method> = keyof Contracts extends infer K
  ? K extends `${M} ${infer P}`
    ? P
    : never
  : never
export type ContractOf<M extends Method, P extends string> = `${M} ${P}` extends infer K
  ? K extends keyof Contracts
    ? Contracts[K]
    : never
  : never

/** A column of a list or a part of one: `owners`, `owners.id`. */
export type ColumnOf<Row> = keyof Row & string extends infer K extends string ? K | `${K}.${string}` : never
type HeadOf<Column> = Column extends `${infer Head}.${string}` ? Head : Column
/** A row reduced to the requested columns. */
export type SelectedColumns<Row, Column> = Pick<Row, HeadOf<Column> & keyof Row>

type AnyList = { count: number; ids: number[]; result: object[] }
type IsList<R extends RouteContract> = ReplyOf<R> extends AnyList ? true : false
export type ListRow<R extends RouteContract> = ReplyOf<R> extends { result: (infer Row)[] } ? Row : never

/** `q` of a list, with the columns of its rows. */
export type ListQueryOf<Row, Column extends ColumnOf<Row> = ColumnOf<Row>> = Omit<ListQuery, 'columns'> & {
  columns?: readonly Column[]
}

type Optional<T> = { [K in keyof T as undefined extends T[K] ? K : never]: T[K] }
type Required<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }
/** Addresses contain only text; null and undefined are omitted. */
type QueryValue<T> = NonNullable<T> extends string ? NonNullable<T> | number | boolean : NonNullable<T>
type QueryValues<T> = { [K in keyof Required<T>]: QueryValue<T[K]> } & {
  [K in keyof Optional<T>]?: QueryValue<T[K]> | null | undefined
}
type ParamValues<T> = { [K in keyof T]: T[K] extends number ? number : string | number }

type BodyArgument<R extends RouteContract> = R['body'] extends 'none'
  ? { body?: undefined }
  : R['body'] extends 'form'
    ? { body: URLSearchParams | FormData }
    : R['body'] extends 'multipart'
      ? { body: FormData | Exclude<BodyOf<R>, undefined> }
      : R['body'] extends 'octets'
        ? { body: Blob }
        : { body: BodyOf<R> }
type QueryArgument<R extends RouteContract> = R['query'] extends object
  ? {} extends QueryValues<QueryOf<R>>
    ? { query?: QueryValues<QueryOf<R>> | undefined }
    : { query: QueryValues<QueryOf<R>> }
  : { query?: undefined }
type RisonArgument<R extends RouteContract> = R['rison'] extends object
  ? IsList<R> extends true
    ? { q?: ListQueryOf<ListRow<R>> }
    : {} extends RisonOf<R>
      ? { q?: RisonOf<R> | undefined }
      : { q: RisonOf<R> }
  : { q?: undefined }
type ParamsArgument<R extends RouteContract> = R['path'] extends `${string}:${string}`
  ? { params: ParamValues<ParamsOf<R>> }
  : { params?: undefined }

/** Options of a call in addition to those of its contract. */
export interface CallOptions {
  accept?: string
  signal?: AbortSignal | undefined
  /** Treats a 401 as a normal failure instead of the end of the session. */
  quiet?: boolean
  /** Requests only a cached response; the status is 204 when there is none. */
  onlyCached?: boolean
  /** The browser completes the call even when the user leaves the page. */
  keepalive?: boolean
}

/** All options of a call of this contract. Distributes over several contracts (a path with a union inside). */
export type OptionsOf<R extends RouteContract> = R extends RouteContract
  ? ParamsArgument<R> & QueryArgument<R> & RisonArgument<R> & BodyArgument<R> & CallOptions
  : never

/** The JSON of the response; for a list, the rows with the requested columns. */
export type ResponseOf<R extends RouteContract, Options> = R extends RouteContract
  ? R['reply'] extends object
    ? IsList<R> extends true
      ? Options extends { q: { columns: readonly (infer Column extends string)[] } }
        ? Omit<ReplyOf<R>, 'result'> & { result: SelectedColumns<ListRow<R>, Column>[] }
        : ReplyOf<R>
      : ReplyOf<R>
    : never
  : never
