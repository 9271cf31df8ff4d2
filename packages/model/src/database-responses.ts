import Type, { type Static } from 'typebox'
import type { AccountPower } from './runner-protocol.ts'
import { openObject, AnyObject, flag, id, optional, nullable, UserSummary, row, text } from './fields.ts'

/** Result of the last connection test. `at` is ISO text; `powers` lists privileges of the account beyond reading. */
export const LastTest = openObject({
  at: text(),
  ok: flag(),
  message: nullable(text()),
  powers: optional(Type.Unsafe<AccountPower[]>({ type: 'array', items: { type: 'string' } })),
})
export type LastTest = Static<typeof LastTest>

export const EngineInformation = openObject({
  supports_file_upload: flag(),
  disable_ssh_tunneling: flag(),
  /** Product of a connection that is kept for its datasets and charts and cannot be opened. */
  unsupported: optional(text()),
})

const shared = {
  id: id(),
  uuid: text(),
  database_name: text(),
  backend: text(),
  allow_ctas: flag(),
  allow_cvas: flag(),
  allow_dml: flag(),
  allow_file_upload: flag(),
  allow_run_async: flag(),
  expose_in_sqllab: flag(),
  force_ctas_schema: nullable(text()),
  extra: nullable(text()),
  engine_information: EngineInformation,
  changed_on: text(),
  /** Null when it was never tested or the caller may not test. */
  last_test: nullable(LastTest),
}

/** A database in `GET /api/v1/database/`. */
export const ListedDatabase = row({
  ...shared,
  allow_multi_catalog: flag(),
  allows_cost_estimate: flag(),
  allows_subquery: flag(),
  allows_virtual_table_explore: flag(),
  changed_by: nullable(UserSummary),
  changed_on_delta_humanized: text(),
  created_by: nullable(UserSummary),
  disable_data_preview: flag(),
  disable_drill_to_detail: flag(),
  explore_database_id: id(),
})
export type ListedDatabase = Static<typeof ListedDatabase>

/** Connection settings of a database, with masked secrets. */
const reached = {
  configuration_method: text(),
  driver: nullable(text()),
  impersonate_user: flag(),
  masked_encrypted_extra: nullable(text()),
  parameters: nullable(AnyObject),
  parameters_schema: AnyObject,
  server_cert: nullable(text()),
  sqlalchemy_uri: nullable(text()),
  ssh_tunnel: nullable(AnyObject),
  cache_timeout: nullable(id()),
  is_managed_externally: flag(),
}

/** `GET /api/v1/database/{id}`. Fields reserved for users who may edit the database are null for others. */
export const DatabaseDetail = row({ ...shared, ...reached })
export type DatabaseDetail = Static<typeof DatabaseDetail>

const { last_test: _, changed_on: __, ...known } = shared
/** `GET /api/v1/database/{id}/connection`. */
export const DatabaseConnection = openObject({ ...known, ...reached })
export type DatabaseConnection = Static<typeof DatabaseConnection>

export interface TestStep {
  step: 'reach' | 'sign_in' | 'schemas'
  ms: number
}
/** Result of a connection test, step by step. */
export interface TestReport {
  steps: TestStep[]
  schemas: number | null
  /** Privileges of the account beyond reading. Parquetry does not need them, and an attacker could use them. */
  warnings: { power: AccountPower; message: string }[]
  /** Fingerprint of the tunnel's server. */
  host_key: string | null
}

/** A setting of an engine's connection form. */
export interface SettingSchema {
  type?: string
  title?: string
  description?: string
  default?: string | number | boolean
  minimum?: number
  maximum?: number
  secret?: boolean
}

const Names = Type.Unsafe<readonly string[]>({ type: 'array', items: { type: 'string' } })

/** A supported database engine. */
export const AvailableEngine = openObject({
  name: text(),
  engine: text(),
  available_drivers: Names,
  default_driver: optional(text()),
  preferred: flag(),
  sqlalchemy_uri_placeholder: optional(text()),
  engine_information: EngineInformation,
  /** Parquetry extension: the form with labels and defaults, the URI schemes, and the supported features. */
  parquetry: openObject({
    kind: Type.Unsafe<'embedded' | 'network'>({ type: 'string', enum: ['embedded', 'network'] }),
    schemes: Names,
    form: openObject({
      properties: Type.Unsafe<Record<string, SettingSchema>>({ type: 'object' }),
      required: Names,
    }),
    supports: openObject({ catalogs: flag(), estimate: flag(), createAs: flag(), impersonate: flag() }),
    /** Allowed names of additional parameters. */
    query_parameters: Names,
  }),
})
export type AvailableEngine = Static<typeof AvailableEngine>
